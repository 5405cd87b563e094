import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { inline, start } from "@coppice/engine";
import { onlyInSoak } from "@coppice/engine/soak";
import { TASKS } from "../coordinator.ts";
import { noRedis } from "../redis-server.ts";
import { Squares } from "../squares.ts";
import { noHostsHere, PROGRAM, WHERE_HOSTS_CAN_BE } from "./hosts.ts";

const missing = noRedis ?? noHostsHere();

describe("several hosts", { skip: missing === undefined ? false : `skipped: ${missing}` }, () => {
  it("have the digest of one while links are slow, cut and healed, and leave nothing", onlyInSoak(), async (t) => {
    const [command, ...args] = [...WHERE_HOSTS_CAN_BE, process.execPath, PROGRAM];
    const { stdout } = await promisify(execFile)(command, args);
    const { digest, told, written, hosts, slowed, heardWithoutDesk, keys, children } = JSON.parse(stdout);
    t.diagnostic(`slowed with ${slowed}`);
    const evaluator = new URL("../evaluators/delayed-square.ts", import.meta.url);
    const calm = await start({
      search: new Squares(TASKS),
      evaluator,
      context: { longestMs: 0 },
      pool: inline(),
      lookahead: 16,
    });
    assert.equal(digest, (await calm.finished).digest);
    assert.deepEqual(told, [...Array(TASKS).keys()]);
    assert.equal(written, TASKS);
    assert.deepEqual(hosts, ["barn", "mill"]);
    assert.equal(heardWithoutDesk, 0, "the coordinator's link was not cut");
    assert.deepEqual({ keys, children }, { keys: [], children: 0 });
  });
});
