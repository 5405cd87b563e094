import assert from "node:assert/strict";
import { globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { coppice, file, temporaryDirectory } from "../test/coppice.ts";

/** Sets the title, clears the screen, colours by one byte, hides what was printed before, turns the text around. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2Jred \u009b31m\rgone\b \u202etxt.exe\ncoppice: all is well";
const obeyed = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** A run whose every evaluation fails with such a message, under such a name, and whose result says it again. */
const MODULE = `import { defineRun } from "@coppice/engine/evaluator";
const hostile = ${JSON.stringify(HOSTILE)};
export default defineRun({
  options: {},
  search: () => {
    let asked = false, told = false;
    return {
      ask: () => told ? { kind: "done" } : asked ? { kind: "wait" } : (asked = true, { kind: "candidate", candidate: 1, key: "k" + hostile }),
      tell: () => { told = true; },
      result: () => ({ said: hostile }),
    };
  },
  context: () => ({}),
  setup: () => { console.log(hostile); return {}; },
  evaluate: () => { throw new Error(hostile); },
  describe: ({ said }) => said,
});
`;

describe("what comes from outside and is printed", { concurrency: 1 }, () => {
  it("never speaks to the terminal: names, errors, logs and answers, quiet or not, now or when a run is looked at", async (t) => {
    const place = temporaryDirectory(t);
    const models = `providers:\n  a: { command: ${JSON.stringify(`printf '%s' ${JSON.stringify(HOSTILE)} >&2; exit 1`)} }\n`;
    file(place, "coppice.models.yaml", `${models}  b: { command: ${JSON.stringify("cat")} }\n`);
    mkdirSync(join(place, ".claude"));
    const hooks = {
      PreToolUse: [{ matcher: `B${HOSTILE}`, hooks: [{ type: "command", command: `echo '${HOSTILE}'` }] }],
    };
    file(place, ".claude/settings.json", JSON.stringify({ hooks, [HOSTILE]: 1 }));
    const module = file(new URL("../test/modules", import.meta.url).pathname, `hostile-${process.pid}.ts`, MODULE);
    t.after(() => rmSync(module));
    const lines = [
      ["run", module, "--quiet", "--workers", "1"],
      ["show", "1"],
      ["watch", "1", "--quiet"],
      ["ask", "--model", "a", "--quiet", "x"],
      ["ask", "--model", "b", `answer ${HOSTILE}`],
      ["show", HOSTILE],
      ["hooks", "check"],
      ["hooks", "plan"],
    ];
    for (const line of lines) {
      const { stdout, stderr } = await coppice(place, line, { HOME: place });
      assert.notEqual(stdout + stderr, "", line[0]);
      assert.doesNotMatch(stdout + stderr, obeyed, JSON.stringify([line, stdout, stderr]));
      assert.doesNotMatch(stderr, /^coppice: all is well/m, JSON.stringify([line, stderr]));
    }
    const { stdout: json } = await coppice(place, ["ask", "--model", "b", "--json", `answer ${HOSTILE}`]);
    assert.doesNotMatch(json, obeyed);
    assert.equal(JSON.parse(json).results[0].content, `answer ${HOSTILE}`);
  });

  it("is printed in one place", () => {
    const cwd = new URL(".", import.meta.url).pathname;
    const writers = globSync("**/*.ts", { cwd })
      .filter((path) => !path.endsWith(".test.ts"))
      .filter((path) => /process\.std(out|err)\.write|console\.\w+\(/.test(readFileSync(join(cwd, path), "utf8")));
    // The register of hooks answers an agent, in JSON.
    assert.deepEqual(writers.sort(), ["hooks/register.ts", "print.ts"]);
  });
});
