import { fork } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";
import type { CommandResult } from "./command-server.ts";
import type { Ended } from "./coppice.ts";

/** Types many `coppice …` lines in a directory, one after another, in one process that goes with the test. */
export function commandsIn(t: TestContext, directory: string): (args: readonly string[]) => Promise<Ended> {
  const child = fork(new URL("./command-server.ts", import.meta.url), { cwd: directory });
  t.after(() => child.kill());
  return async (args) => {
    child.send({ args, environment: {} });
    const [{ status, stdout, stderr }] = (await once(child, "message")) as [CommandResult];
    return { code: status, stdout, stderr };
  };
}
