import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SALESMAN = fileURLToPath(new URL("../../../../examples/travelling-salesman/run.ts", import.meta.url));

/** A tool's run of a second or so, which can be started in an empty folder. */
export interface ToolRun {
  readonly tool: string;
  readonly args: readonly string[];
  /** Makes the inputs. */
  readonly inputs?: (place: string) => void;
  /** Models answer: how long that took is in the digest, so that answers are compared instead. */
  readonly answers?: true;
}

const words = (text: string) => text.split(" ");

/** One run of every tool that keeps runs. */
export const toolRuns: readonly ToolRun[] = [
  {
    tool: "run",
    args: ["run", SALESMAN, ...words("--workers 1 --option cities=20 --option rounds=3 --option attempts=4")],
  },
  { tool: "flow plan", args: words("flow plan --evaluations 300 --roots 3 --workers 1") },
  { tool: "flow plan, walkers", args: words("flow plan --evaluations 300 --walkers 3 --rounds 4 --workers 1") },
  {
    tool: "tree run",
    args: words("tree run --dry-run --ideas-per-node 3 --beam-width 2 --max-depth 2 --max-parallel-evals 1"),
  },
  {
    tool: "tune",
    args: words("tune --evaluator judge.mjs --space space.json --max-workers 1 --no-use-processes --output won"),
    inputs: tuneInputs,
  },
  { tool: "ask", args: words("ask --demo --batch judge,critic,skeptic Do-it?"), answers: true },
  { tool: "swarm", args: words("swarm --demo --generate 3 boats"), answers: true },
  { tool: "council", args: words("council --demo --personas judge,critic --max-rounds 2 Do-it"), answers: true },
  {
    tool: "digest",
    args: words("digest --demo a.txt b.txt --fresh"),
    inputs: (place) => {
      for (const name of ["a", "b"]) writeFileSync(join(place, `${name}.txt`), `const ${name} = 1;\n`);
    },
    answers: true,
  },
];

function tuneInputs(place: string): void {
  const parameters = [
    { name: "x", path: "knob.x", min: -9, max: 9 },
    { name: "mode", values: ["a", "b"] },
  ];
  const space = { horizons: ["near"], objective: "maximize", baseline: { knob: { x: 0 }, mode: "a" }, parameters };
  writeFileSync(join(place, "space.json"), JSON.stringify(space));
  const judge =
    "export default { evaluate: (_, { configuration, horizons }) => Object.fromEntries(horizons.map((h) => [h, -Math.abs(configuration.knob.x - 3)])) };\n";
  writeFileSync(join(place, "judge.mjs"), judge);
}

/** What a run's `--json` document answers: its digest, or what models said. */
export function answerOf({ answers }: ToolRun, stdout: string): string {
  const document = JSON.parse(stdout) as { readonly digest?: string; readonly run?: { readonly digest: string } };
  if (answers !== true) return document.digest ?? document.run?.digest ?? "";
  const timed = /ms$|seconds|elapsed|time|^at$|^run$|^totals$|^record$|specul|latency/i;
  return hash(
    "sha256",
    JSON.stringify(document, (name, value) => (timed.test(name) ? undefined : value)),
  );
}
