import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Source, strongest } from "./two-names.ts";

describe("an option with two names", () => {
  const value = (own: Source, common: Source) =>
    strongest({
      own: { flag: "--num-workers-root", value: own === undefined ? undefined : 3, source: own },
      common: { flag: "--workers", value: common === undefined ? undefined : 5, source: common },
    });

  it("F-21: what was typed beats the environment, and of one place the tool's own name beats the common one", () => {
    assert.equal(value("cli", "env"), 3);
    assert.equal(value("env", "cli"), 5);
    assert.equal(value("env", "env"), 3);
    assert.equal(value(undefined, "env"), 5);
    assert.equal(value("env", "default"), 3);
    assert.equal(value(undefined, "default"), undefined);
  });

  it("F-21: two that were typed and say different things are refused", () => {
    assert.throws(() => value("cli", "cli"), /--num-workers-root 3 and --workers 5 contradict each other/);
    const same = { value: 2, source: "cli" } as const;
    assert.equal(strongest({ own: { flag: "--a", ...same }, common: { flag: "--b", ...same } }), 2);
  });
});
