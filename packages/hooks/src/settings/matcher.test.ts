import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { checkProject } from "../check/check-project.ts";
import { matcherRemark, matches, USUAL_PATIENCE_MS, unionMatcher } from "./matcher.ts";
import { placesOf } from "./scopes.ts";

const patience = () => ({ leftMs: USUAL_PATIENCE_MS });
/** Patterns that try more ways than there is time for, on the subject below. */
const endless = ["(x+x+)+y", "(?:x|xx)+y", "(x*)*y", "x*x*x*x*x*x*x*x*y", "((x+)+)+y", "^(x+)\\1*(x+)+y"];
const subject = "x".repeat(200);

describe("matchers", () => {
  it("are decided within their time, and a pattern that is not lets its hooks run: a guard is never off", () => {
    for (const matcher of endless) {
      const begin = performance.now();
      assert.equal(matches(matcher, subject, patience()), true, matcher);
      assert.ok(performance.now() - begin < 10_000, matcher);
    }
  });

  it("that are not valid let their hooks run, before and after install", async () => {
    using project = new TemporaryProject();
    const guard = { matcher: "Bash(", hooks: [{ type: "command", command: "echo no >&2; exit 2" }] };
    const other = { matcher: "Edit", hooks: [{ type: "command", command: "true" }] };
    project.write(".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: [guard, other] } }));
    const { exitCode, stderr } = await project.answer("PreToolUse", { tool_name: "Bash" });
    assert.equal(exitCode, 2);
    assert.match(stderr, /no/);
    const { ok, findings } = await checkProject(placesOf(project.dir, project.env), project.env);
    assert.equal(ok, false);
    const wrong = findings.filter(({ severity }) => severity === "error").map(({ text }) => text);
    assert.equal(wrong.length, 1);
    assert.match(wrong[0], /PreToolUse\[0\]\.matcher: not a valid regular expression .*runs as if it matched/);
    assert.equal(unionMatcher(["Bash(", "Edit"]), "*");
  });

  it("share the time of one event", () => {
    const shared = patience();
    const begin = process.cpuUsage();
    for (let i = 0; i < 100; i++) assert.equal(matches(`${endless[0]}${i}`, subject, shared), true);
    // One by one they would take 20 seconds and more; of the processor, because a busy machine makes a millisecond long.
    assert.ok(process.cpuUsage(begin).user < 10_000_000);
    assert.ok(shared.leftMs <= 0);
  });

  it("say what the regular expression says, in time or with a limit", () => {
    const piece = fc.constantFrom("a", "b", ".", "(a|b)", "(?:ab)", "[ab]", "*", "+", "?", "|", "^", "$", "\\w", "{2}");
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => parts.join("")),
        fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 }),
        (matcher, text) => {
          let expected: boolean;
          try {
            expected = matcher === "*" || new RegExp(matcher).test(text);
          } catch {
            expected = true;
          }
          if (/^[\w|]+$/.test(matcher)) expected = matcher.split("|").includes(text);
          assert.equal(matches(matcher, text, { leftMs: 60_000 }), expected, JSON.stringify([matcher, text]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("do not hang an event", async () => {
    using project = new TemporaryProject();
    project.write(
      ".claude/settings.json",
      JSON.stringify({
        hooks: { PreToolUse: [{ matcher: endless[0], hooks: [{ type: "command", command: "echo no >&2; exit 2" }] }] },
      }),
    );
    const { exitCode } = await project.answer("PreToolUse", { tool_name: subject });
    assert.equal(exitCode, 2);
  });

  it("are remarked upon when they repeat a repetition", () => {
    for (const matcher of ["(x+x+)+y", "(x*)*"]) assert.match(matcherRemark(matcher) ?? "", /very long/);
    for (const matcher of ["mcp__.*", "Write|Edit", "(Write|Edit)", "^mcp__[a-z]+__.*$", "(ab)+"]) {
      assert.equal(matcherRemark(matcher), undefined, matcher);
    }
  });
});
