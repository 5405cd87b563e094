import { describe } from "node:test";
import { onlyInSoak } from "../soak.ts";
import type { Exemptions, Subject } from "./clause.ts";
import { dying } from "./dying.ts";
import { failing } from "./failing.ts";
import { living } from "./living.ts";
import { settling } from "./settling.ts";
import { stopping } from "./stopping.ts";
import type { MakeFactory } from "./trial.ts";

const parts = { settling, failing, stopping, dying, living };

/**
 * The tests every pool passes, whatever its workers are. `module` exports the pool's factory under `factoryName`; it is
 * also loaded by programs that are killed. What the pool cannot do by nature is listed in `exemptions` and printed as
 * skipped. A pool whose workers take long to start names the parts that are tried every day; a soak tries all of them.
 */
export async function poolConformance(
  module: URL,
  factoryName: string,
  exemptions: Exemptions,
  everyDay = Object.keys(parts),
): Promise<void> {
  const { [factoryName]: makeFactory } = (await import(module.href)) as Record<string, MakeFactory>;
  const subject: Subject = { makeFactory, module, factoryName, exemptions };
  describe(`the pool "${factoryName}"`, () => {
    for (const [name, part] of Object.entries(parts)) {
      describe(name, everyDay.includes(name) ? {} : onlyInSoak(), () => part(subject));
    }
  });
}
