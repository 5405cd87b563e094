import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { cannotTrace, diskAt, type Ended, recordWrites, tryCuts } from "@coppice/engine/power-cut";
import { onlyInSoak, soak } from "@coppice/engine/soak";
import { COPPICE, coppice, file, plainEnvironment, SQUARES, temporaryDirectory } from "./coppice.ts";

const skip = cannotTrace();
const SHORT = ["--id", "r", "--json", "--quiet"];

/** A tool's command, and what it needs in its folder. */
interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly prepare?: (place: string) => void;
  /** Times are part of its outcomes, or models answered: a run that is gone on with ends with another digest. */
  readonly impure?: true;
  /** Git never syncs a directory. */
  readonly journaledNames?: true;
  /** Too long for every day. */
  readonly takesLong?: true;
}

const cases: readonly Case[] = [
  { what: "run", args: ["run", SQUARES, "--workers", "1"] },
  {
    what: "tree run --dry-run",
    args: [..."tree run --dry-run --ideas-per-node 3 --beam-width 2 --max-depth 2 --max-parallel-evals 1".split(" ")],
  },
  {
    what: "tree run",
    args: ["tree", "run", "--max-parallel-evals", "1"],
    prepare: repository,
    impure: true,
    journaledNames: true,
    takesLong: true, // each cut costs a resume with a dozen calls of git
  },
  {
    what: "flow plan",
    args: "flow plan --evaluations 200 --roots 3 --workers 1 --pool threads".split(" "),
    takesLong: true,
  },
  {
    what: "tune",
    args: [
      ..."tune --evaluator judge.mjs --space space.json --max-workers 1 --no-use-processes --output won".split(" "),
    ],
    prepare: tournament,
    takesLong: true,
  },
  {
    what: "ask",
    args: ["ask", "--demo", "Do it?", "--batch", "judge,critic,skeptic"],
    impure: true,
    takesLong: true,
  },
];

/** A repository with two ideas whose text becomes the value that is measured. */
function repository(place: string): void {
  mkdirSync(join(place, "ideas"));
  file(place, "value.txt", "1\n");
  for (const [name, value] of Object.entries({ a: "2", b: "3" }))
    file(place, join("ideas", `${name}.md`), `${value}\n`);
  file(
    place,
    "coppice.tree.yaml",
    `ideas: { folder: ideas }
steps:
  implement: "cat {idea} > value.txt"
  sweep: '{ echo config_id,value; echo "0,$(cat value.txt)"; } > {results}'
score: { primary: value, metrics: [{ column: value, weight: 1, better: higher }] }
search: { max_depth: 1, beam_width: 1, dedupe_scope: accepted }
`,
  );
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  for (const line of ["init --quiet --initial-branch=main", "add --all", "commit --quiet --message Begin"]) {
    execFileSync("git", [...who, ...line.split(" ")], { cwd: place, stdio: "pipe" });
  }
}

function tournament(place: string): void {
  const parameters = [{ name: "x", path: "knob.x", min: -9, max: 9 }];
  const space = { horizons: ["near"], objective: "maximize", baseline: { knob: { x: 0 } }, parameters };
  file(place, "space.json", JSON.stringify(space));
  file(
    place,
    "judge.mjs",
    "export default { evaluate: (_, { configuration: { knob: { x } } }) => ({ near: -Math.abs(x - 4) }) };\n",
  );
}

async function typed(root: string, args: readonly string[]): Promise<Ended> {
  const { code, stdout, stderr } = await coppice(root, [...args, "--json", "--quiet"]);
  return code === 0 ? { digest: digestIn(stdout) } : { refused: stderr.trim() };
}

function digestIn(stdout: string): string {
  return /"digest": "([0-9a-f]{64})"/.exec(stdout)?.[1] ?? stdout;
}

describe("a power cut", skip === undefined ? {} : { skip }, () => {
  for (const { what, args, prepare, impure, journaledNames = false, takesLong } of cases) {
    const when = takesLong === true ? onlyInSoak() : {};
    it(`at any write of "${what}" loses nothing, repeats nothing and changes nothing`, when, async (t) => {
      const root = temporaryDirectory(t);
      prepare?.(root);
      const command = [process.execPath, COPPICE, ...args, ...SHORT];
      const recording = await recordWrites(root, { command, cwd: root, env: plainEnvironment() });
      assert.equal(recording.code, 0, recording.stderr);
      const digest = digestIn(recording.stdout);
      const same = async (ending: Promise<Ended>): Promise<Ended> => {
        const ended = await ending;
        return impure === true && "digest" in ended ? { digest } : ended;
      };
      const report = await tryCuts(
        recording,
        {
          directory: join(root, ".coppice", "runs", "r"),
          digest,
          resume: () => same(typed(root, ["resume", "r"])),
          startAgain: () => same(typed(root, [...args, "--id", "r"])),
        },
        {
          chances: soak(1, 20),
          most: soak(8, 400),
          journaledNames,
          draw: (name, count) =>
            random(7)
              .at(name)
              .integer(0, count - 1),
        },
      );
      assert.deepEqual(report.problems, []);
      assert.ok(report.resumed > 0 && report.begunAgain > 0, JSON.stringify(report));
      t.diagnostic(JSON.stringify(report));
    });
  }

  it("with --durable loses no outcome that the search was told", async (t) => {
    const root = temporaryDirectory(t);
    const command = [process.execPath, COPPICE, "run", SQUARES, "--workers", "1", "--durable", ...SHORT];
    const recording = await recordWrites(root, { command, cwd: root, env: plainEnvironment() });
    const path = join(".coppice", "runs", "r", "journal.ndjson");
    const outcomes = (text: Buffer | undefined) => (text?.toString().split('"type":"completed"').length ?? 1) - 1;
    let checked = 0;
    for (const [index, operation] of recording.operations.entries()) {
      if (operation.kind !== "write" || operation.path !== join(root, path)) continue;
      // Before a journal write: all earlier ones are sure, so what a search was told is.
      const disk = diskAt(recording, index);
      const sure = disk.after("none").get(path);
      if (!Buffer.isBuffer(sure)) continue;
      assert.equal(outcomes(sure), outcomes(disk.read(join(root, path))));
      checked += outcomes(sure);
    }
    assert.ok(checked > 0);
  });
});
