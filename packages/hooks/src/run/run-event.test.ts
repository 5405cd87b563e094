import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildRun } from "@coppice/engine/child-process";
import fc from "fast-check";
import { declared, hookOf } from "../../test/hook-of.ts";
import type { Hook } from "../settings/hook.ts";
import { stageHooks } from "../staging/stage-hooks.ts";
import { type EachOfStage, eachAlone, eachBesideOthers } from "./each-of-stage.ts";
import { type EventRequest, type EventRun, runEvent } from "./run-event.ts";

const roots = { projectDir: "/p", home: "/h" };
const silent: ChildRun = {
  ending: { kind: "exited", code: 0 },
  stdout: { bytes: new Uint8Array(), totalBytes: 0 },
  stderr: { bytes: new Uint8Array(), totalBytes: 0 },
};

function saying(json: object): ChildRun {
  const bytes = Buffer.from(JSON.stringify(json));
  return { ...silent, stdout: { bytes, totalBytes: bytes.length } };
}

function run(
  hooks: readonly Hook[],
  carry: EventRequest["carry"],
  options: Partial<EventRequest["options"]> = {},
  input: object = {},
  each: EachOfStage = eachAlone,
): Promise<EventRun> {
  return runEvent({
    staging: stageHooks(hooks, roots, options.onBlock),
    input: Buffer.from(JSON.stringify(input)),
    options: { concurrency: 50, onBlock: "finish", ...options },
    carry,
    startInBackground: () => {},
    signal: new AbortController().signal,
    each,
  });
}

const blocked: ChildRun = { ...silent, ending: { kind: "exited", code: 2 } };

/** Counts how many are there at once. The first ones wait for each other: a slow machine must not hide how many run. */
class Crowd {
  readonly #full = Promise.withResolvers<void>();
  readonly #expected: number;
  #there = 0;
  most = 0;

  constructor(expected: number) {
    this.#expected = expected;
  }

  async join(stayMs: number): Promise<void> {
    this.most = Math.max(this.most, ++this.#there);
    if (this.#there === this.#expected) this.#full.resolve();
    await this.#full.promise;
    await sleep(stayMs);
    this.#there--;
  }
}

describe("running stages", () => {
  for (const [where, each] of Object.entries({ alone: eachAlone, "beside other events": eachBesideOthers })) {
    it(`H-09 never runs more at once than allowed, and starts in list order, ${where}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 20 }), async (limit, count) => {
          const started: string[] = [];
          const hooks = Array.from({ length: count }, (_, i) => declared(`h${i}`, [], []));
          const crowd = new Crowd(Math.min(limit, count));
          const carry: EventRequest["carry"] = async (hook) => {
            started.push(hook.name);
            await crowd.join(started.length % 3);
            return silent;
          };
          await run(hooks, carry, { concurrency: limit }, {}, each);
          assert.deepEqual(
            started,
            hooks.map((hook) => hook.name),
          );
          assert.equal(crowd.most, Math.min(limit, count));
        }),
        { numRuns: 15 },
      );
    });
  }

  it("H-09 keeps events that one process answers at once below the process's own limit together", async () => {
    const hooks = Array.from({ length: 40 }, (_, i) => declared(`h${i}`, [], []));
    const crowd = new Crowd(50);
    const carry = async () => {
      await crowd.join(1);
      return silent;
    };
    await Promise.all([1, 2, 3].map(() => run(hooks, carry, { concurrency: 40 }, {}, eachBesideOthers)));
    assert.equal(crowd.most, 50);
  });

  it("passes on what a hook's carrier throws", async () => {
    const carry = () => Promise.reject(new Error("no carrier"));
    for (const each of [eachAlone, eachBesideOthers]) {
      await assert.rejects(run([declared("a", [], [])], carry, {}, {}, each), /no carrier/);
    }
  });

  it("H-15 runs all hooks whatever some of them say, as agents do", async () => {
    const hooks = [declared("count", [], ["n"]), declared("limit", ["n"], []), declared("secret", [], [])];
    const outcome = await run(hooks, async (hook) => (hook.name === "count" ? silent : blocked));
    assert.deepEqual(outcome.notStarted, []);
    assert.deepEqual(
      outcome.answers.map(({ name, block }) => [name, block !== undefined]),
      [
        ["count", false],
        ["limit", true],
        ["secret", true],
      ],
    );
  });

  it("H-15 stops at the first block of the list when configured: nothing behind it is written or heard", async () => {
    const hooks = [
      declared("reads", ["n"], []),
      declared("blocks", [], []),
      declared("talks", [], []),
      declared("writes", [], ["m"]),
      hookOf("background", { touches: { reads: [], writes: [] }, background: true }),
    ];
    const ended: string[] = [];
    const [talked, said] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const carry: EventRequest["carry"] = async ({ name }) => {
      if (name === "blocks") await talked.promise;
      if (name === "reads") await said.promise;
      ended.push(name);
      if (name === "talks") talked.resolve();
      if (name === "blocks") said.resolve();
      return name === "blocks" ? blocked : silent;
    };
    const outcome = await run(hooks, carry, { onBlock: "stop" });
    assert.deepEqual(ended, ["talks", "blocks", "reads"]);
    assert.deepEqual(outcome.notStarted, ["writes", "background"]);
    assert.deepEqual(
      outcome.answers.map(({ name }) => name),
      ["reads", "blocks"],
    );
  });

  it("H-03 gives every hook the same bytes", async () => {
    const seen: string[] = [];
    await run(
      [hookOf("a"), declared("b", [], [])],
      async (_hook, input) => {
        seen.push(Buffer.from(input).toString());
        return silent;
      },
      {},
      { prompt: "ü" },
    );
    assert.deepEqual(seen, ['{"prompt":"ü"}', '{"prompt":"ü"}']);
  });

  it("H-14 hands a rewritten input down a declared chain only", async () => {
    const event = "PreToolUse";
    const chain = { event, touches: { reads: [], writes: [] }, after: ["a"] };
    const hooks = [hookOf("a", { ...chain, after: [] }), hookOf("b", { ...chain, chain: true }), hookOf("c", chain)];
    const seen = new Map<string, unknown>();
    await run(
      hooks,
      async (hook, input) => {
        seen.set(hook.name, JSON.parse(Buffer.from(input).toString()).tool_input);
        return hook.name === "a" ? saying({ hookSpecificOutput: { updatedInput: { n: 2 } } }) : silent;
      },
      {},
      { tool_input: { n: 1 } },
    );
    assert.deepEqual(Object.fromEntries(seen), { a: { n: 1 }, b: { n: 2 }, c: { n: 1 } });
  });
});
