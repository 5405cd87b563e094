import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { markedProcesses, RUN_MARK } from "@coppice/engine/child-process";
import { inTurn } from "@coppice/engine/soak";
import {
  assertRefused,
  coppice,
  document,
  ended,
  file,
  journaled,
  launch,
  temporaryDirectory,
} from "../../test/coppice.ts";

/** A search without an evaluator: the sum of what the numbers below `count` come to. */
const MODULE = `export default {
  options: { count: 8 },
  search: ({ options: { count } }) => {
    let next = 0, told = 0, sum = 0, failed = 0;
    return {
      ask: () => next < count ? { kind: "candidate", candidate: { x: next }, key: "x" + next++ }
        : { kind: told < count ? "wait" : "done" },
      tell: (outcome) => { told++; if (outcome.ok) sum += outcome.value; else failed++; },
      result: () => ({ sum, failed }),
    };
  },
  context: () => ({ add: 1 }),
};`;

/** Ten times the number; notes every task in a ledger, and waits while told to. */
const ONCE = `#!/bin/sh
read -r line; x=\${line#*:}; x=\${x%\\}}
echo "$x" >>ledger
while [ "$x" -gt 3 ] && [ -e hold ]; do sleep 0.05; done
echo $((10 * x))
`;

const LINES = `while read -r line; do
  id=\${line#*:}; id=\${id%%,*}; x=\${line#*x\\":}; x=\${x%%\\}*}
  echo "$x" >>ledger
  while [ "$x" -gt 3 ] && [ -e hold ]; do sleep 0.05; done
  printf '{"id":%s,"value":%s}\\n' "$id" $((10 * x))
done
`;

function project(t: TestContext): string {
  const place = temporaryDirectory(t);
  file(place, "search.mjs", MODULE);
  file(place, "once.sh", ONCE);
  file(place, "lines.sh", LINES);
  return place;
}

const commands = {
  once: ["--command", "sh once.sh"],
  lines: ["--command", "sh lines.sh", "--command-mode", "lines"],
};

describe("coppice run --command", () => {
  for (const [turn, [mode, command]] of Object.entries(commands).entries()) {
    it(`evaluates a search with a program, the same on different pools, and verifies it (${mode})`, async (t) => {
      const place = project(t);
      const digests = new Set<unknown>();
      const pools = inTurn(["threads", "processes"], turn).map((kind) => [kind, "--workers", "2"]);
      for (const pool of [["inline"], ...pools]) {
        const line = ["run", "search.mjs", ...command, "--json", "--pool", ...pool];
        const { digest, result } = document(await coppice(place, line));
        assert.deepEqual(result, { sum: 280, failed: 0 });
        digests.add(digest);
      }
      assert.equal(digests.size, 1);
      const { stdout, code } = await coppice(place, ["verify", "1", "--all"]);
      assert.match(stdout, /^run 1 is reproducible: 8 tells replayed, 8 of 8 evaluations done again/);
      assert.equal(code, 0);
    });

    it(`goes on after kill -9 without doing a finished task again, and leaves nothing running (${mode})`, async (t) => {
      const place = project(t);
      const mark = crypto.randomUUID();
      const undisturbed = document(await coppice(place, ["run", "search.mjs", ...command, "--json"]));
      rmSync(join(place, "ledger"));
      writeFileSync(join(place, "hold"), "");
      const args = ["run", "search.mjs", ...command, "--json", "--id", "killed", "--workers", "2"];
      const child = launch(place, args, { [RUN_MARK]: mark }, t);
      await journaled(join(place, ".coppice", "runs", "killed"), 4);
      // The watcher of what threads have started looks four times a second.
      await noted(place, 6);
      await pause(600);
      child.kill("SIGKILL");
      await ended(child);
      for (const until = Date.now() + 20_000; markedProcesses(mark).length > 0; await pause(20)) {
        assert.ok(Date.now() < until, "programs are left running");
      }
      rmSync(join(place, "hold"));
      const { digest } = document(await coppice(place, ["resume", "killed", "--json"]));
      assert.equal(digest, undisturbed.digest);
      const done = readFileSync(join(place, "ledger"), "utf8").trim().split("\n");
      for (const x of ["0", "1", "2", "3"]) assert.equal(done.filter((each) => each === x).length, 1, `task ${x}`);
    });
  }

  it("takes the program from the module, in the module's folder, with its context", async (t) => {
    const place = project(t);
    file(place, "own.mjs", MODULE.replace("context:", 'command: { command: ["sh", "own.sh"] },\n  context:'));
    file(place, "own.sh", `[ "$COPPICE_CONTEXT" = '{"add":1}' ] && echo 1\n`);
    const { result } = document(
      await coppice("/", ["run", join(place, "own.mjs"), "--json", "--run-dir", join(place, "runs")]),
    );
    assert.deepEqual(result, { sum: 8, failed: 0 });
  });

  it("tells the search of a program that fails, and people of its last words", async (t) => {
    const place = project(t);
    file(place, "fails.sh", "echo 'x is too large' >&2\nexit 4\n");
    const args = ["run", "search.mjs", "--command", "sh fails.sh", "--pool", "inline"];
    assert.deepEqual(document(await coppice(place, [...args, "--json"])).result, { sum: 0, failed: 8 });
    const { code, stderr } = await coppice(place, [...args, "--on-failure", "stop"]);
    assert.equal(code, 1);
    assert.match(stderr, /run 2 stopped: .*CommandFailed: sh fails\.sh ended with exit code 4: x is too large;/);
  });

  it("refuses to resume with another script, by its name, unless that is accepted", async (t) => {
    const place = project(t);
    writeFileSync(join(place, "hold"), "");
    const child = launch(place, ["run", "search.mjs", ...commands.once, "--workers", "1"], {}, t);
    await journaled(join(place, ".coppice", "runs", "1"), 4);
    child.kill("SIGTERM");
    rmSync(join(place, "hold"));
    await ended(child);
    appendFileSync(join(place, "once.sh"), "# changed\n");
    assertRefused(await coppice(place, ["resume", "1"]), /worked on with different code \(once\.sh\)/);
    assert.deepEqual(document(await coppice(place, ["resume", "1", "--json", "--accept-changes"])).result, {
      sum: 280,
      failed: 0,
    });
  });

  it("refuses in one line what cannot be, and writes nothing", async (t) => {
    const place = project(t);
    file(place, "space.json", '{ "parameters": [{ "name": "x", "min": 0, "max": 3 }] }');
    file(
      place,
      "tuned.json",
      '{ "horizons": ["near"], "baseline": {}, "parameters": [{ "name": "x", "values": [1] }] }',
    );
    file(place, "bad.json", '{ "parameters": [{ "name": "x", "min": 3, "max": 0 }] }');
    const lines: [string[], RegExp][] = [
      [["search.mjs"], /search\.mjs has no evaluator: .*or run it with --command/],
      [["search.mjs", "--command", "no-such-program x"], /there is no program no-such-program/],
      [["search.mjs", "--command", "./once.sh"], /\.\/once\.sh is not executable: chmod \+x it/],
      [["search.mjs", "--command", "sh once.sh | cat"], /--command sh once\.sh \| cat: no shell is started/],
      [["search.mjs", "--command", "'sh once.sh"], /--command 'sh once\.sh: a quote \('\) is not closed/],
      [["search.mjs", "--command", './once.sh "'], /\.\/once\.sh ": a quote \("\) is not closed/],
      [["search.mjs", "--command", "sh nope.sh"], /there is no file nope\.sh for sh to run/],
      [["search.mjs", "--command", " "], /--command is empty/],
      [["search.mjs", "--command", "cat", "--command-mode", "often"], /Allowed choices are once, lines/],
      [["search.mjs", "--command", "cat", "--command-files", "lib.py"], /there is no file lib\.py/],
      [["search.mjs", "--command-mode", "lines"], /--command-mode goes with --command/],
      [["search.mjs", "--command", "cat", "--space", "space.json"], /--space space\.json is searched without a module/],
      [["search.mjs", "--command", "cat", "--evaluations", "3"], /--evaluations goes with --space/],
      [["--command", "cat"], /name a module to run, or a space/],
      [["--space", "space.json"], /--space needs a program/],
      [["--space", "none.json", "--command", "cat"], /none\.json cannot be read/],
      [["--space", "tuned.json", "--command", "cat"], /tuned\.json has horizons: .* coppice tune --space$/m],
      [["--space", "bad.json", "--command", "cat"], /bad\.json x: min 3 is above max 0/],
      [["--space", "space.json", "--command", "cat", "--option", "a=1"], /--option a=1 is for a module/],
    ];
    for (const [args, line] of lines) assertRefused(await coppice(place, ["run", ...args]), line);
    assert.ok(!existsSync(join(place, ".coppice")));
  });
});

describe("coppice run --space", () => {
  const space = {
    objective: "maximize",
    parameters: [
      { name: "x", min: 0, max: 5 },
      { name: "mode", values: ["a", "b"] },
    ],
    context: { bonus: 7 },
  };
  const score = `case $(cat) in *'"x":3,"mode":"b"'*) echo 9;; *'"x":5'*) exit 1;; *) echo "$COPPICE_CONTEXT" | tr -dc 0-9;; esac\n`;

  it("finds the best point, counts those without a value, and resumes without its file", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "space.json", JSON.stringify(space));
    file(place, "score.sh", score);
    const args = ["run", "--space", "space.json", "--command", "sh score.sh"];
    const { stdout } = await coppice(place, args);
    assert.equal(stdout, '9 at {"x":3,"mode":"b"}, the best of 12 points, 2 without a value\n');
    const { result } = document(await coppice(place, [...args, "--json", "--evaluations", "5"]));
    assert.equal((result as { evaluations: number }).evaluations, 5);
    assert.match((await coppice(place, ["show", "1"])).stdout, /^ +evaluator +sh score\.sh, version /m);
    rmSync(join(place, "space.json"));
    assert.equal((await coppice(place, ["resume", "1"])).stdout, stdout);
    assert.match((await coppice(place, ["verify", "1", "--all"])).stdout, /^run 1 is reproducible: 12 tells/);
  });

  it("fails when no point has a value, and says why", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "space.json", '{ "objective": "maximize", "parameters": [{ "name": "x", "min": 0, "max": 1 }] }');
    const programs: [string, RegExp][] = [
      ["exit 3", /ended with exit code 3/],
      ["echo 1e999", /printed "1e999": a number in it is too large/],
      [`echo '"text"'`, /printed "\\"text\\"": a number or null is needed/],
    ];
    for (const [text, why] of programs) {
      file(place, "score.sh", text);
      const args = ["run", "--space", "space.json", "--command", "sh score.sh", "--pool", "inline"];
      const { code, stdout, stderr } = await coppice(place, args);
      assert.deepEqual([code, stdout], [1, "no value in 2 points\n"]);
      assert.match(stderr, why);
    }
  });
});

/** Waits until the ledger has that many lines. */
async function noted(place: string, count: number): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(20)) {
    if (readFileSync(join(place, "ledger"), "utf8").trim().split("\n").length >= count) return;
  }
  assert.fail(`the ledger did not get ${count} lines`);
}
