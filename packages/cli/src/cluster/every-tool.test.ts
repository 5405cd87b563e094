import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { noRedisHere, PrivateRedis } from "@coppice/cluster";
import { Wire } from "@coppice/cluster/wire";
import { random } from "@coppice/engine";
import { onlyInSoak, soak } from "@coppice/engine/soak";
import { assertRefused, coppice, file, launch } from "../../test/coppice.ts";

const noRedis = noRedisHere();
const WORKERS = 4;
const LONGEST_DELAY_MS = 25;

/** The number itself, by programs in the folder the run was started in; one process per task, or one per worker. */
const ONCE = `read -r line; x=\${line#*x\\":}; echo "\${x%%[,\\}]*}"
`;
const LINES = `while read -r line; do
  id=\${line#*:}; id=\${id%%,*}; x=\${line#*x\\":}; x=\${x%%[,\\}]*}
  printf '{"id":%s,"value":%s}\\n' "$id" "$x"
done
`;
const SPACE = JSON.stringify({ objective: "minimize", parameters: [{ name: "x", min: -3, max: 4 }] });

const DEMO = fileURLToPath(import.meta.resolve("@coppice/search/heated-plate"));

/** A small run of each tool that evaluates. `how` says where, in the tool's own words. */
interface Example {
  readonly what: string;
  readonly args: readonly string[];
  readonly how?: (pool: string, workers: number) => readonly string[];
  /** Too long for every day. */
  readonly takesLong?: true;
}

const usual = (pool: string, workers: number) => [
  "--pool",
  pool,
  ...(pool === "inline" ? [] : ["--workers", `${workers}`]),
];
const examples: readonly Example[] = [
  { what: "the demo of run", args: ["run", DEMO, "--option", "generations=3"] },
  { what: "a plan of the real day", args: ["flow", "plan", "--evaluations", "200", "--seed", "9"], takesLong: true },
  {
    what: "tune",
    args: ["tune", "demo", "--output", "tuned", "--test-values", "1", "--max-passes", "1"],
    takesLong: true,
  },
  {
    what: "tree, dry",
    args: ["tree", "run", "--dry-run", ..."--ideas-per-node 4 --beam-width 2 --max-depth 2".split(" ")],
    how: (pool, workers) => [
      "--parallel-backend",
      pool,
      "--max-parallel-evals",
      pool === "inline" ? "1" : `${workers}`,
    ],
  },
  { what: "run --command", args: ["run", "--space", "space.json", "--evaluations", "24", "--command", "sh once.sh"] },
  {
    what: "run --command-mode lines",
    args: [..."run --space space.json --evaluations 24 --command-mode lines --command".split(" "), "sh lines.sh"],
    takesLong: true,
  },
  {
    what: "map",
    args: ["map"],
    how: (pool, workers) => [
      ...(pool === "inline" ? [] : ["--pool", pool, "-j", `${workers}`]),
      ..."sh item.sh ::: a b c d e f g".split(" "),
    ],
  },
];

describe("every tool on a cluster", { skip: noRedis === undefined ? false : `skipped: ${noRedis}` }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-every-tool-"));
  const wires: Wire[] = [];
  const workers: ChildProcess[] = [];
  let redis: PrivateRedis | undefined;
  let count = 0;

  before(async () => {
    file(folder, "once.sh", ONCE);
    file(folder, "lines.sh", LINES);
    file(folder, "item.sh", 'echo "$1 in $(basename "$PWD" | cut -c1-7)"; [ "$1" != c ]\n');
    file(folder, "space.json", SPACE);
    redis = await PrivateRedis.start();
    const draw = random(18);
    const allow = ["ideas/src/dry-run", "engine/src/command", "workbench/src/command-map"].flatMap((place) => [
      "--allow",
      `@coppice/${place}/evaluator.ts`,
    ]);
    const started = Array.from({ length: WORKERS }, async (_, worker) => {
      const wire = await Wire.to(redis?.port ?? 0, async (bytes) => {
        await pause(draw.integer(0, LONGEST_DELAY_MS));
        return bytes;
      });
      wires.push(wire);
      // Somewhere else than the run: only what is sent can be found.
      const args = [
        "worker",
        "--redis",
        wire.url,
        "--concurrency",
        "1",
        "--cache-dir",
        join(folder, `cache-${worker}`),
      ];
      const child = launch(tmpdir(), [...args, ...allow]);
      workers.push(child);
      let said = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
      while (!said.includes("on queue")) await once(child.stderr ?? child, "data");
    });
    await Promise.all(started);
  });
  after(async () => {
    for (const child of workers) child.kill("SIGKILL");
    for (const wire of wires) await wire[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function digest({ args: [tool, ...args], how = usual }: Example, pool: string, workers: number) {
    const id = `${pool}-${count++}`;
    const placed = tool === "map" ? [tool, "--id", id] : [tool, ...args, "--id", id, "--quiet"];
    const line = [...placed, "--run-dir", "runs", "--json", ...how(pool, workers)];
    const { code, stdout, stderr } = await coppice(folder, line, { COPPICE_REDIS: redis?.url ?? "" });
    const runs = join(folder, "runs", id);
    assert.ok(existsSync(runs), stderr);
    assert.equal(code, tool === "map" ? 1 : 0, stderr);
    const { digest } = JSON.parse(readFileSync(join(runs, "result.json"), "utf8")) as { digest: string };
    assert.match(digest, /^[0-9a-f]{64}$/);
    return { digest, stdout: tool === "map" ? stdout : "" };
  }

  for (const [i, example] of examples.entries()) {
    const when = example.takesLong === true ? onlyInSoak() : {};
    it(`has the digest of one process: ${example.what}`, { ...when, timeout: 300_000 }, async () => {
      const alone = await digest(example, "inline", 1);
      for (let more = 0; more < soak(1, WORKERS); more++) {
        const workers = 1 + ((i + more) % WORKERS);
        assert.deepEqual(await digest(example, "cluster", workers), alone, `${workers} workers`);
      }
    });
  }

  it("asks models from one process only, and says why", async () => {
    for (const tool of ["ask", "council", "swarm", "digest"]) {
      const refused = await coppice(folder, [tool, "--pool", "cluster", "--demo", "What?"]);
      assertRefused(refused, /'--pool <kind>' argument 'cluster' is invalid\. models are asked from one process/);
    }
  });
});
