import { describe, it } from "node:test";
import { assertUnharmed, squares } from "./held-squares.ts";
import { stopAndContinue } from "./stop-and-continue.ts";

describe("a coordinator that is stopped for longer than its tasks may take", { concurrency: 2 }, () => {
  for (const pool of ["threads", "processes"] as const) {
    it(`goes on with ${pool} as if it had not been: what failed has failed, and nothing has timed out`, async (t) => {
      assertUnharmed(t, await stopAndContinue(await squares(t, pool, { TIMEOUT_MS: "6000", HELD_FAIL: "yes" }), 7000));
    });
  }
});
