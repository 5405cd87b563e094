import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChildRun, Ending } from "@coppice/engine/child-process";
import { hookOf } from "../../test/hook-of.ts";
import type { Hook } from "../settings/hook.ts";
import { endsEvent, readAnswer } from "./answer.ts";
import { mergeAnswers } from "./merge-answers.ts";

interface Said {
  readonly out?: string | object;
  readonly err?: string;
  readonly code?: number;
  readonly ending?: Ending;
  readonly hook?: Partial<Hook>;
}

function merge(event: string, ...all: readonly Said[]) {
  const answers = all.map((said, i) => readAnswer(hookOf(`h${i + 1}`, { event, ...said.hook }), runOf(said)));
  const merged = mergeAnswers(event, answers);
  return { ...merged, json: JSON.parse(merged.stdout), ends: answers.map((answer) => endsEvent(answer, event)) };
}

function runOf({ out = "", err = "", code = 0, ending }: Said): ChildRun {
  const output = (text: string) => ({ bytes: Buffer.from(text), totalBytes: Buffer.byteLength(text) });
  return {
    ending: ending ?? { kind: "exited", code },
    stdout: output(typeof out === "string" ? out : JSON.stringify(out)),
    stderr: output(err),
  };
}

const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const permission = (permissionDecision: string, permissionDecisionReason?: string) =>
  specific({ permissionDecision, permissionDecisionReason });

describe("merging", () => {
  it("H-11 joins contexts in list order into exactly one object", () => {
    const merged = merge(
      "UserPromptSubmit",
      { out: { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "one" } } },
      { out: "two, as plain text\n" },
      { out: { hookSpecificOutput: { additionalContext: "" } } },
      { out: { hookSpecificOutput: { additionalContext: "three" }, systemMessage: "note" } },
    );
    assert.equal(merged.exitCode, 0);
    assert.equal(
      merged.stdout,
      '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"one\\ntwo, as plain text\\nthree"},"systemMessage":"note"}\n',
    );
  });

  it("H-11 takes plain output for context only where the agent does", () => {
    assert.deepEqual(merge("PostToolUse", { out: "hello" }).json, {});
    assert.deepEqual(merge("Stop", { out: "hello" }).json, {});
    assert.equal(merge("SessionStart", { out: "hello" }).json.hookSpecificOutput.additionalContext, "hello");
  });

  it("H-11 takes two JSON documents, or a JSON text that is no object, for plain text", () => {
    assert.deepEqual(merge("Stop", { out: '{"decision":"block"}{"decision":"block"}' }).json, {});
    assert.equal(merge("SessionStart", { out: "{}{}" }).json.hookSpecificOutput.additionalContext, "{}{}");
    assert.equal(merge("SessionStart", { out: "[1]" }).json.hookSpecificOutput.additionalContext, "[1]");
  });

  it("H-12 turns exit 2 of any hook into exit 2 with all reasons in list order, and drops the rest", () => {
    const merged = merge(
      "UserPromptSubmit",
      { out: "context" },
      { code: 2, err: "second\n", out: '{"continue":false}' },
      { out: { decision: "block", reason: "third" } },
      { code: 1, err: "noise" },
      { code: 2, err: "fifth" },
    );
    assert.equal(merged.exitCode, 2);
    assert.equal(merged.stderr, "second\nthird\nfifth\n");
    assert.deepEqual(merged.json, {});
    assert.deepEqual(merged.ends, [false, true, true, false, true]);
  });

  it("H-12 drops contexts beside an exit 2 also where there is no exit code to say it with", () => {
    const answers = [{ out: "context" }, { code: 2, err: "no" }].map((said, i) =>
      readAnswer(hookOf(`h${i + 1}`, { event: "UserPromptSubmit" }), runOf(said)),
    );
    const merged = mergeAnswers("UserPromptSubmit", answers, [], false);
    assert.equal(merged.exitCode, 0);
    assert.deepEqual(JSON.parse(merged.stdout), { decision: "block", reason: "no" });
  });

  it("H-13 lets other codes pass, and tells the user in list order", () => {
    const merged = merge(
      "Stop",
      { code: 1, err: "broken\ntrace" },
      { ending: { kind: "timeout", timeoutMs: 2000 } },
      { ending: { kind: "unstartable", code: 127, reason: "./h3.sh: not found" } },
    );
    assert.equal(merged.exitCode, 0);
    assert.equal(
      merged.json.systemMessage,
      "h1 exited with code 1: broken\nh2 took longer than its 2 s and was ended\nh3 could not be started (./h3.sh: not found)",
    );
  });

  it("H-13 blocks on a failure that is declared to block", () => {
    const merged = merge("PreToolUse", { code: 1, err: "no scanner", hook: { onFailure: "block" } });
    assert.deepEqual([merged.exitCode, merged.stderr], [2, "h1 exited with code 1: no scanner\n"]);
  });

  it("H-14 deny beats ask beats allow, whatever their order", () => {
    const allow = { out: permission("allow", "fine") };
    const ask = { out: permission("ask", "sure?") };
    const deny = { out: permission("deny", "no") };
    const decisionOf = (...all: readonly Said[]) => {
      const { permissionDecision, permissionDecisionReason } = merge("PreToolUse", ...all).json.hookSpecificOutput;
      return `${permissionDecision}: ${permissionDecisionReason}`;
    };
    assert.equal(decisionOf(allow, deny, ask), "deny: no");
    assert.equal(decisionOf(deny, ask, allow, { out: permission("deny", "never") }), "deny: no\nnever");
    assert.equal(decisionOf(allow, ask), "ask: sure?");
    assert.equal(decisionOf({ out: { decision: "approve", reason: "old way" } }, allow), "allow: old way\nfine");
    assert.equal(decisionOf({ out: { decision: "block", reason: "old no" } }, allow), "deny: old no");
    assert.equal(merge("PreToolUse", {}).json.hookSpecificOutput, undefined);
  });

  it("H-14 continue:false beats everything and keeps the block beside it", () => {
    const merged = merge("PreToolUse", { code: 2, err: "no" }, { out: { continue: false, stopReason: "enough" } });
    assert.equal(merged.exitCode, 0);
    assert.deepEqual(merged.json, {
      continue: false,
      stopReason: "enough",
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "no" },
    });
    const stop = merge("Stop", { out: { continue: false } }, { code: 2, err: "go on" });
    assert.deepEqual(stop.json, { continue: false, decision: "block", reason: "go on" });
  });

  it("H-14 refuses two different rewritings of the input, and neither allows nor blocks because of it", () => {
    const rewrite = (command: string) => ({
      out: specific({ permissionDecision: "allow", updatedInput: { command } }),
    });
    const merged = merge("PreToolUse", rewrite("ls"), rewrite("ls -l"));
    assert.equal(merged.exitCode, 0);
    assert.equal(merged.json.hookSpecificOutput, undefined);
    assert.match(merged.json.systemMessage, /^h1 and h2 give different values for updatedInput, so neither is used/);
    assert.deepEqual(merge("PreToolUse", rewrite("ls"), rewrite("ls")).json.hookSpecificOutput.updatedInput, {
      command: "ls",
    });
    const disputed = merge("PreToolUse", rewrite("ls"), rewrite("ls -l"), { out: permission("deny", "no") });
    assert.equal(disputed.json.hookSpecificOutput.permissionDecision, "deny");
  });

  it("H-14 follows a declared chain of rewritings", () => {
    const rewrite = (command: string, hook: Partial<Hook> = {}) => ({
      out: specific({ updatedInput: { command } }),
      hook,
    });
    const merged = merge("PreToolUse", rewrite("a"), rewrite("b", { chain: true, after: ["h1"] }));
    assert.deepEqual(merged.json.hookSpecificOutput.updatedInput, { command: "b" });
    assert.equal(merged.json.systemMessage, undefined);
  });

  it("lets a denied permission request win over allowed ones", () => {
    const request = (behavior: string) => ({ out: { hookSpecificOutput: { decision: { behavior } } } });
    const merged = merge("PermissionRequest", request("allow"), request("deny"));
    assert.deepEqual(merged.json.hookSpecificOutput.decision, { behavior: "deny" });
    assert.deepEqual(merged.ends, [false, true]);
  });

  it("passes on fields it has no rule for, if nobody disagrees", () => {
    const merged = merge(
      "PostToolUse",
      { out: { later: 1 } },
      { out: { later: 1, hookSpecificOutput: { updatedOutput: "x" } } },
    );
    assert.deepEqual(merged.json, {
      later: 1,
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedOutput: "x" },
    });
  });

  it("passes on a field called __proto__ like any other, and assigns nothing", () => {
    const odd =
      '{"__proto__": {"continue": false}, "hookSpecificOutput": {"__proto__": {"permissionDecision": "allow"}}}';
    const merged = merge("PreToolUse", { out: odd }, { out: odd });
    assert.equal(
      merged.stdout,
      '{"__proto__":{"continue":false},"hookSpecificOutput":{"hookEventName":"PreToolUse","__proto__":{"permissionDecision":"allow"}}}\n',
    );
  });

  it("says a block in JSON when there is no exit code to say it with", () => {
    const answer = readAnswer(hookOf("h1", { event: "Stop" }), runOf({ code: 2, err: "go on" }));
    const merged = mergeAnswers("Stop", [answer], [], false);
    assert.deepEqual([merged.exitCode, JSON.parse(merged.stdout)], [0, { decision: "block", reason: "go on" }]);
  });

  it("H-20 cuts long text with a notice and drops JSON that was cut", () => {
    const cut = (text: string, event: string) => {
      const bytes = Buffer.from(text);
      const run = { ...runOf({}), stdout: { bytes, totalBytes: 5000 } };
      return JSON.parse(mergeAnswers(event, [readAnswer(hookOf("h1", { event }), run)]).stdout);
    };
    assert.equal(
      cut("abc", "SessionStart").hookSpecificOutput.additionalContext,
      "abc\n[h1: cut after 3 of 5000 bytes]",
    );
    assert.match(
      cut('{"decision":"bl', "Stop").systemMessage,
      /h1 printed 5000 bytes of JSON, more than the 15 that are kept/,
    );
  });
});
