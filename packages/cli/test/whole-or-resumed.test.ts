import assert from "node:assert/strict";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { encodeInstance } from "@coppice/airspace";
import { cutDownDay } from "@coppice/airspace/cut-down-day";
import { soak } from "@coppice/engine/soak";
import { rebuiltTools } from "../src/tools/rebuild.ts";
import { coppice, type Ended, file, SQUARES, temporaryDirectory } from "./coppice.ts";
import { shownIn } from "./exported-page.ts";
import { personaOf, practice } from "./practice.ts";
import { labelOf, practiceCouncil } from "./practice-council.ts";
import { TuneFolder } from "./tune-folder.ts";

/** One command, run whole and stopped and resumed in the same place. */
interface Case {
  readonly what: string;
  /** Makes the inputs; returns where. */
  readonly place: (t: TestContext) => string | Promise<string>;
  readonly args: readonly string[];
  /** A command and its items: nothing may come after them, nobody has to be told to be quiet, and each item is a line of JSON. */
  readonly mapped?: readonly string[];
  readonly code: number;
  /** Models answered: each answer takes its own time, which its digest knows. */
  readonly impure?: true;
  /** What the command leaves outside its run's directory, removed before it is resumed. */
  readonly outputs?: readonly string[];
}

const cases: readonly Case[] = [
  { what: "run", place: temporaryDirectory, args: ["run", SQUARES], code: 0 },
  {
    what: "run, with a failed evaluation",
    place: temporaryDirectory,
    args: ["run", SQUARES, "--option", "failAt=3", "--pool", "inline"],
    code: 0,
  },
  {
    what: "run, stopped by a failure",
    place: temporaryDirectory,
    args: ["run", SQUARES, "--option", "failAt=7", "--on-failure", "stop", "--pool", "inline"],
    code: 1,
  },
  {
    what: "run --space",
    place: (t) => {
      const place = temporaryDirectory(t);
      file(place, "space.json", '{ "objective": "minimize", "parameters": [{ "name": "x", "min": 0, "max": 3 }] }');
      file(place, "score.sh", `x=$(tr -dc 0-9); [ "$x" != 1 ] && echo $((x * x))\n`);
      return place;
    },
    args: ["run", "--space", "space.json", "--command", "sh score.sh", "--pool", "inline"],
    code: 0,
  },
  {
    what: "map",
    place: temporaryDirectory,
    args: ["map", "-j", "2"],
    mapped: ["sh", "-c", 'echo "$1"; echo "$1 said" >&2; [ "$1" != b ]', "sh", "{}", ":::", "a", "b", "c"],
    code: 1,
  },
  {
    what: "flow plan",
    place: (t) => {
      const place = withDay(t);
      mkdirSync(join(place, "out"));
      return place;
    },
    args: [
      ..."flow plan --instance day.bin --evaluations 300 --roots 3 --pool inline --out out/my.json --report out/my.html".split(
        " ",
      ),
    ],
    code: 0,
    outputs: ["out"],
  },
  {
    what: "flow plan, walkers",
    place: withDay,
    args: [..."flow plan --instance day.bin --evaluations 300 --walkers 3 --rounds 4 --pool inline".split(" ")],
    code: 0,
  },
  {
    what: "flow plan, robust",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 300 --robust 2 --walkers 2 --rounds 2 --pool inline".split(" "),
    code: 0,
  },
  {
    what: "flow plan, a front",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 300 --front 0.005,0.1 --walkers 1 --rounds 2 --pool inline".split(
      " ",
    ),
    code: 0,
  },
  {
    what: "flow plan, stepwise",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 300 --mode stepwise --pool inline".split(" "),
    code: 0,
  },
  {
    what: "flow plan, annealing",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 300 --policy annealing --pool inline".split(" "),
    code: 0,
  },
  {
    what: "flow plan, exact rates",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 2000 --roots 2 --max-regulations 1 --policy plain --rates exact --pool inline".split(
      " ",
    ),
    code: 0,
  },
  {
    what: "flow plan, by the published objective",
    place: withDay,
    args: "flow plan --instance day.bin --semantics reference --max-regulations 2 --pool inline".split(" "),
    code: 0,
  },
  {
    what: "flow plan, several runs",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 200 --roots 1 --outer-max-runs 2 --pool inline".split(" "),
    code: 0,
  },
  {
    what: "flow plan, every root failed",
    place: withDay,
    args: "flow plan --instance day.bin --evaluations 50000 --roots 2 --workers 1 --timeout 1ms".split(" "),
    code: 1,
  },
  {
    what: "ask",
    place: async (t) => (await practice(t, { respond: () => answer("PROCEED") })).place,
    args: ["ask", "Do it?", "--batch", "judge,critic,skeptic"],
    code: 0,
    impure: true,
  },
  {
    what: "ask, mostly in vain",
    place: async (t) =>
      (await practice(t, { respond: ({ body }) => (personaOf(body) === "judge" ? answer("STOP") : REFUSAL) })).place,
    args: ["ask", "Do it?", "--batch", "judge,critic,skeptic", "--retries", "0"],
    code: 1,
    impure: true,
  },
  {
    what: "council",
    place: async (t) => (await practiceCouncil(t, (call) => divided(labelOf(call)))).place,
    args: ["council", "--personas", "judge,critic", "--max-rounds", "2", "Do it"],
    code: 0,
    impure: true,
  },
  {
    what: "council --rank",
    place: async (t) => (await practiceCouncil(t, () => "So it is. RANKING: 1. Answer B 2. Answer A")).place,
    args: ["council", "--rank", "--personas", "judge,critic", "Do it?"],
    code: 0,
    impure: true,
  },
  {
    what: "swarm",
    place: async (t) => (await practice(t, { respond: () => answer("PROCEED") })).place,
    args: ["swarm", "--generate", "3", "names for a boat"],
    code: 0,
    impure: true,
  },
  {
    what: "digest",
    place: async (t) => {
      const { place } = await practiceCouncil(t, () => "It holds a number.");
      for (const name of ["a.txt", "b.txt", "c.txt"]) file(place, name, `const ${name[0]} = 1;\n`);
      return place;
    },
    args: ["digest", "a.txt", "b.txt", "c.txt", "--fresh"],
    code: 0,
    impure: true,
    outputs: [".coppice/digests"],
  },
  {
    what: "tree run",
    place: temporaryDirectory,
    args: "tree run --dry-run --ideas-per-node 3 --beam-width 2 --max-depth 2 --max-parallel-evals 1".split(" "),
    code: 0,
  },
  {
    what: "tree run, its budget spent",
    place: temporaryDirectory,
    args: "tree run --dry-run --ideas-per-node 3 --beam-width 2 --max-depth 3 --max-total-idea-evals 4".split(" "),
    code: 0,
  },
  {
    what: "tune",
    place: tuned,
    args: [
      ..."tune --evaluator judge.mjs --space space.json --max-workers 1 --no-use-processes --on-failure continue --output won".split(
        " ",
      ),
    ],
    code: 0,
    outputs: ["won"],
  },
  {
    what: "tune, of two objectives",
    place: (t) => {
      const place = sampled(t);
      const parameters = "[{ name: x, type: real, min: 0, max: 1 }]";
      file(place, "space.yaml", `{ parameters: ${parameters}, objectives: { loss: minimize, size: minimize } }`);
      file(place, "score.mjs", "export default { evaluate: (_, { x }) => ({ loss: (x - 0.3) ** 2, size: 1 - x }) };");
      return place;
    },
    args: "tune --space space.yaml --evaluator score.mjs --pool inline --trials 20 --output won --method nsga2".split(
      " ",
    ),
    code: 0,
    outputs: ["won"],
  },
  ...["--test-values 2 --max-passes 1", "--method steps --trials 6", "--method random --trials 6 --cross-validate"].map(
    (how) => ({
      what: `tune --data ${how}`,
      place: withSeasons,
      args: `tune --data data --baseline baseline --horizons ros --num-params 2 --pool inline --output won ${how}`.split(
        " ",
      ),
      code: 0,
      outputs: ["won"],
    }),
  ),
  ...["random", "tpe", "cma-es", "halving --budget epochs=1..9", "hyperband --budget epochs=1..9"].map((method) => ({
    what: `tune --method ${method}`,
    place: sampled,
    args: `tune --space space.yaml --evaluator score.mjs --pool inline --trials 20 --output won --method ${method}`.split(
      " ",
    ),
    code: 0,
    outputs: ["won"],
  })),
];

const REFUSAL = { kind: "status", status: 400 } as const;

function answer(verdict: string) {
  const content = JSON.stringify({ verdict, confidence: 80, conviction: 90, reasoning: "Because it is so." });
  return { kind: "answer", content, usage: { prompt_tokens: 100, completion_tokens: 50 } } as const;
}

/** Judge and critic who never agree. */
function divided(label: string): string {
  const verdict = label.endsWith("judge") ? "PROCEED" : "STOP";
  return JSON.stringify({ verdict, confidence: 70, conviction: 60, reasoning: "all in all", next: "CONTINUE" });
}

/** A small day to plan. */
function withDay(t: TestContext): string {
  const place = temporaryDirectory(t);
  writeFileSync(join(place, "day.bin"), encodeInstance(cutDownDay()));
  return place;
}

/** A tournament over a module of the user's own. */
function tuned(t: TestContext): string {
  const place = temporaryDirectory(t);
  const parameters = [
    { name: "x", path: "knob.x", min: -9, max: 9 },
    { name: "mode", values: ["a", "b"] },
  ];
  const baseline = { knob: { x: 0 }, mode: "a" };
  file(place, "space.json", JSON.stringify({ horizons: ["near", "far"], objective: "maximize", baseline, parameters }));
  file(
    place,
    "judge.mjs",
    `export default { evaluate(_, { configuration: { knob: { x }, mode }, horizons }) {
  if (x > 7) throw new Error("x " + x + " is too much");
  const bonus = mode === "b" ? 1 : 0;
  return Object.fromEntries(horizons.map((name) => [name, bonus - Math.abs(x - (name === "near" ? 4 : -7))]));
} };`,
  );
  return place;
}

/** Two invented seasons, and where their tuning begins. */
function withSeasons(t: TestContext): string {
  const seasons = new TuneFolder();
  t.after(() => seasons.remove());
  return seasons.folder;
}

/** A search by samples, in which some points fail. */
function sampled(t: TestContext): string {
  const place = temporaryDirectory(t);
  file(place, "space.yaml", "parameters: [{ name: x, type: real, min: 0, max: 1 }, { name: n, min: 1, max: 9 }]\n");
  const score = 'if (n === 4) throw new Error("four"); return (x - 0.3) ** 2 + Math.abs(n - 7) + 1 / epochs;';
  file(place, "score.mjs", `export default { evaluate(_, { x, n, epochs = 1 }) { ${score} } };`);
  return place;
}

/** Makes of a run's directory what a kill after so many outcomes leaves of it at the least: its record and its journal. */
function cutAfter(directory: string, journal: string, outcomes: number): void {
  const kept: string[] = [];
  let left = outcomes;
  for (const line of journal.split("\n").slice(0, -1)) {
    const isOutcome = /"type":"completed"/.test(line) || /"type":"failed".*"outcome":true/.test(line);
    if ((isOutcome && left === 0) || /"type":"run","event":"(finished|stopped|interrupted|error)"/.test(line)) break;
    if (isOutcome) left--;
    kept.push(`${line}\n`);
  }
  for (const name of readdirSync(directory)) {
    if (!["run.json", "tree.json", "command.json"].includes(name)) rmSync(join(directory, name), { recursive: true });
  }
  writeFileSync(join(directory, "journal.ndjson"), kept.join(""));
}

function outcomesIn(journal: string): number {
  return journal.split("\n").filter((line) => /"type":"(completed|failed)"/.test(line)).length;
}

/** Files that tell of times, or of how often the run was resumed; what they say of the answer is in the others. */
const OF_TIMES =
  /(^|\/)(journal\.ndjson|events\.ndjson|events\.jsonl|run\.json|tree\.json|report\.html|lock.*)$|(^|\/)logs\//;

/** What a command left behind, by path. */
function filesOf(place: string, run: string, outputs: readonly string[]): Map<string, string> {
  const all = [run, ...outputs].flatMap((folder) =>
    globSync("**/*", { cwd: join(place, folder) }).map((path) => join(folder, path)),
  );
  const files = all.filter((path) => statSync(join(place, path)).isFile() && !OF_TIMES.test(path));
  const contents = (path: string) => {
    const file = join(place, path);
    // Of a page, what the tool shows: the rest is of this session, or of how often the run was resumed.
    return path.endsWith(".html") ? JSON.stringify(shownIn(file).view ?? null) : readFileSync(file, "utf8");
  };
  return new Map(files.sort().map((path) => [path, timeless(withoutEvents(path, contents(path)))]));
}

const DIGEST = /\b[0-9a-f]{64}\b/g;

const lines = (text: string) => text.split("\n");

/** A tree's manifest also tells what happened when, and so of every session. */
function withoutEvents(path: string, text: string): string {
  if (!path.endsWith("manifest.json")) return text;
  return JSON.stringify({ ...(JSON.parse(text) as object), events: [] }, null, 2);
}

/** Without what a clock says. */
function timeless(text: string): string {
  return (
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replace(
        /"(ms|elapsedMs|tookMs|\w*_ms|\w*_at|\w*At|elapsed_seconds|\w*_seconds|took)": ?(-?[\d.e+-]+|null)/g,
        '"$1":0',
      )
      .replace(/\b\d+(\.\d+)? (ms|s)\b/g, "<duration>")
      .replace(/"(requeued|attempts_total|executions)": ?\d+/g, '"$1":0')
      .replace(/^((?:\| \d+ ){8})\| \d+ \| \d+ \|([^|]*\|)$/gm, "$1$2")
      .replace(/\| \d+\.\d{3} \|/g, "| <duration> |")
      // A journal in two sessions is longer than one in one; that a result knows its own is tested elsewhere.
      .replace(/"journal": \{\s*"bytes": \d+,\s*"sha256": "[0-9a-f]{64}"\s*\}/, '"journal": "<journal>"')
  );
}

/** Standard output, without what says that it was resumed. */
function printed({ stdout }: Ended, json: boolean): string {
  if (!json || stdout.includes("}\n{")) return timeless(stdout);
  const { resumed: _, ...document } = JSON.parse(stdout) as { resumed?: unknown; run?: { resumed?: unknown } };
  if (document.run !== undefined) delete document.run.resumed;
  return timeless(JSON.stringify(document, null, 2));
}

describe("a run, whole or cut off and resumed, ends the same way", () => {
  const tools = new Set<string>();
  for (const { what, place: prepare, args, mapped, code, impure, outputs = [] } of cases) {
    for (const json of [false, true]) {
      it(`${what}${json ? " --json" : ""}: exit code, standard output and files`, async (t) => {
        const place = await prepare(t);
        const id = "whole";
        const flags = [...(json ? ["--json"] : []), ...(mapped === undefined ? ["--quiet"] : [])];
        const run = join(".coppice", "runs", id);
        const whole = await coppice(place, [...args, "--id", id, ...flags, ...(mapped ?? [])]);
        assert.equal(whole.code, code, whole.stderr);
        const files = filesOf(place, run, outputs);
        const journal = readFileSync(join(place, run, "journal.ndjson"), "utf8");
        const outcomes = outcomesIn(journal);
        const cuts = new Set(soak(0, 1) > 0 ? Array(outcomes + 1).keys() : json ? [outcomes >> 1] : [0, outcomes]);
        for (const cut of cuts) {
          cutAfter(join(place, run), journal, cut);
          for (const path of filesOf(place, run, outputs).keys()) {
            if (!path.startsWith(run)) rmSync(join(place, path));
          }
          const resumed = await coppice(place, ["resume", id, ...flags]);
          const where = `cut after ${cut} of ${outcomes} outcomes: ${resumed.stderr}`;
          assert.equal(resumed.code, whole.code, where);
          const same = (text: string) =>
            lines(impure === true && cut < outcomes ? text.replace(DIGEST, "<digest>") : text);
          assert.deepEqual(same(printed(resumed, json)), same(printed(whole, json)), where);
          const again = filesOf(place, run, outputs);
          assert.deepEqual([...again.keys()], [...files.keys()], where);
          for (const [path, text] of files) {
            assert.deepEqual(same(again.get(path) ?? ""), same(text), `${path}, ${where}`);
          }
        }
        tools.add((JSON.parse(readFileSync(join(place, run, "run.json"), "utf8")) as { tool: string }).tool);
      });
    }
  }

  it("whichever tool made it", () => {
    assert.deepEqual([...tools].sort(), rebuiltTools.toSorted());
  });
});
