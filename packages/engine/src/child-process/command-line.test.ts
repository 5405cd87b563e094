import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readCommandLine, shellWord, splitWords } from "./command-line.ts";

const env = { HOME: "/home/me", CLAUDE_PROJECT_DIR: "/my project", PLAIN: "value", PATH: process.env.PATH };

describe("command lines", () => {
  it("H-04 starts simple commands without a shell", () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["./check.sh", ["./check.sh"]],
      ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh --fast', ["/my project/.claude/hooks/a.sh", "--fast"]],
      ["python3 '/a b/c.py' \"x y\"", ["python3", "/a b/c.py", "x y"]],
      ["node $PLAIN/x.mjs", ["node", "value/x.mjs"]],
      ["~/bin/hook --key=value", ["/home/me/bin/hook", "--key=value"]],
    ];
    for (const [line, [file, ...args]] of cases) {
      assert.deepEqual(readCommandLine(line, env), { kind: "program", file, args }, line);
    }
  });

  it("H-04 leaves to a shell what only a shell understands", () => {
    const lines = [
      "a | b",
      "a && b",
      "a > x",
      "FOO=1 a",
      "cd x; ./a",
      "ls *.ts",
      "echo hi",
      "exit 2",
      "a $(b)",
      "a `b`",
      "a &",
    ];
    lines.push(
      'a "x\\"y"',
      "$CLAUDE_PROJECT_DIR/a.sh",
      "[ -e x ]",
      "if true; then a; fi",
      "a 'unclosed",
      "a # b",
      "a $UNSET_IS_NO_WORD",
      "",
    );
    for (const line of lines) assert.equal(readCommandLine(line, env).kind, "shell", line);
  });

  it("quotes a word so that a shell, and the splitting here, read it back", () => {
    assert.deepEqual(["a/b:c", "two words", "it's", "$HOME", ""].map(shellWord), [
      "a/b:c",
      "'two words'",
      "'it'\\''s'",
      "'$HOME'",
      "''",
    ]);
    const text = fc.string({ unit: fc.constantFrom("a", " ", "'", '"', "$", "\\", "\n", "*", "é", "`") });
    fc.assert(
      fc.property(text, (word) => {
        assert.equal(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" }), word);
      }),
      { numRuns: 30 },
    );
  });

  it("H-04 splits words as the shell does, whenever it splits them itself", () => {
    const piece = fc.constantFrom("a", "b-c", " ", "  ", "'", '"', "$PLAIN", '"$HOME"', "~/", "=", "é", "\t", "--x=");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (parts) => {
        const line = `printf %s\\n ${parts.join("")}`.replace("%s\\n", "'%s|'");
        const words = splitWords(line, env);
        if (words === undefined || words.length < 3) return;
        assert.equal(
          execFileSync("/bin/sh", ["-c", line], { env, encoding: "utf8" }),
          words
            .slice(2)
            .map((w) => `${w}|`)
            .join(""),
        );
      }),
      { numRuns: 60 },
    );
  });
});
