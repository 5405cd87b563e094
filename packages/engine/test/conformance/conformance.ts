import { describe } from "node:test";
import type { Exemptions, Subject } from "./clause.ts";
import { dying } from "./dying.ts";
import { failing } from "./failing.ts";
import { living } from "./living.ts";
import { settling } from "./settling.ts";
import { stopping } from "./stopping.ts";
import type { MakeFactory } from "./trial.ts";

/**
 * The tests every pool passes, whatever its workers are. `module` exports the pool's factory under `factoryName`; it is
 * also loaded by programs that are killed. What the pool cannot do by nature is listed in `exemptions` and printed as skipped.
 */
export async function poolConformance(module: URL, factoryName: string, exemptions: Exemptions): Promise<void> {
  const { [factoryName]: makeFactory } = (await import(module.href)) as Record<string, MakeFactory>;
  const subject: Subject = { makeFactory, module, factoryName, exemptions };
  describe(`the pool "${factoryName}"`, () => {
    settling(subject);
    failing(subject);
    stopping(subject);
    dying(subject);
    living(subject);
  });
}
