import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd } from "@coppice/engine/session";
import {
  defaultShape,
  defaultWork,
  type Manifest,
  manifestText,
  parseTreeFile,
  prepareNewTree,
  readManifest,
} from "@coppice/ideas";

/** Cost of a stretch of a long dry run. */
interface Stretch {
  /** Evaluations finished when it ended. */
  readonly evaluations: number;
  readonly cpuMsPerEvaluation: number;
  readonly wallMsPerEvaluation: number;
}

export interface DryCurve {
  readonly stretches: readonly Stretch[];
  readonly evaluations: number;
  /** CPU time of putting the whole manifest into text once, at the end: what a runner that does so per evaluation pays each time. */
  readonly rewriteMs: number;
}

const CONFIG = `
ideas: { folder: ideas }
steps: { implement: "true", sweep: "true" }
score: { primary: speed, metrics: [{ column: speed, weight: 1, better: higher }] }
`;

/** Pretends evaluations in a tree of ten nodes per depth and measures each tenth of them, in this process. */
export async function dryCurve(perDepth: number, depths: number): Promise<DryCurve> {
  const folder = mkdtempSync(join(tmpdir(), "coppice-bench-tree-"));
  try {
    const { config } = parseTreeFile(CONFIG, "bench");
    const shape = { ...defaultShape, ideasPerNode: perDepth / 10, beamWidth: 10, sweepConfigLimit: 5, dryRun: true };
    const work = { ...defaultWork, maxDepth: depths, parallelBackend: "inline" as const };
    const tree = prepareNewTree({ rootCommit: "0".repeat(40), config, shape, work });
    const marks: { evaluations: number; cpuMs: number; wallMs: number }[] = [];
    let done = 0;
    const mark = () => {
      const { user, system } = process.cpuUsage();
      marks.push({ evaluations: done, cpuMs: (user + system) / 1000, wallMs: performance.now() });
    };
    const { directory } = await runToEnd(
      tree,
      { runs: folder, id: "run" },
      {
        onRun: (run) => {
          mark();
          run.subscribe((event) => {
            if (event.type !== "completed" || !event.key.startsWith("eval/")) return;
            if (++done % perDepth === 0) mark();
          });
        },
      },
    );
    const stretches = marks.slice(1).map((end, i) => {
      const begin = marks[i];
      const count = end.evaluations - begin.evaluations;
      return {
        evaluations: end.evaluations,
        cpuMsPerEvaluation: (end.cpuMs - begin.cpuMs) / count,
        wallMsPerEvaluation: (end.wallMs - begin.wallMs) / count,
      };
    });
    return { stretches, evaluations: done, rewriteMs: rewriteMs(readManifest(directory)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rewriteMs(manifest: Manifest): number {
  const before = process.cpuUsage();
  manifestText(manifest);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
