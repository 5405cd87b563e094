import { describe, it } from "node:test";
import { assertUnharmed, squares } from "./held-squares.ts";
import { stealFromLiveOwner, stealFromStoppedOwner } from "./stolen-lock.ts";

describe("a run whose lock is wanted by somebody in another process namespace", { concurrency: 2 }, () => {
  for (const owner of ["inside", "outside"] as const) {
    it(`keeps it while its heart beats (the owner is ${owner})`, async (t) => {
      assertUnharmed(t, await stealFromLiveOwner(await squares(t, "threads"), owner));
    });
  }

  for (const pool of ["threads", "processes"] as const) {
    it(`loses it on ${pool} when it is stopped, and writes nothing more when it goes on`, async (t) => {
      assertUnharmed(t, await stealFromStoppedOwner(await squares(t, pool)));
    });
  }
});
