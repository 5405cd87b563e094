import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeGateway, consultEvaluator, parseModels } from "@coppice/agents/models";
import { batchTask, SwarmSearch } from "@coppice/agents/swarm";
import { concurrent, start } from "@coppice/engine";

export interface AskedSwarm {
  /** From the start of the run to its end. */
  readonly ms: number;
  readonly answered: number;
  /** The most memory the process held meanwhile, in megabytes. */
  readonly peakMb: number;
}

const SAMPLE_MS = 20;
const MB = 1024 * 1024;

/** Asks prompts as `coppice swarm` does: a journaled run, one gateway, real HTTP. */
export async function askSwarm(url: string, prompts: readonly string[], concurrency: number): Promise<AskedSwarm> {
  const models = parseModels(JSON.stringify({ providers: { local: { baseUrl: url } } }), "the bench");
  const context = { models, place: "the bench", timeoutMs: 60_000, retries: 2, concurrency };
  const place = mkdtempSync(join(tmpdir(), "coppice-bench-ask-"));
  const tasks = prompts.map((prompt, index) => batchTask({ model: "local/m" }, prompt, undefined, index));
  let peakMb = 0;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / MB);
  }, SAMPLE_MS);
  try {
    const startedMs = performance.now();
    const run = await start({
      search: new SwarmSearch({ mode: "batch", about: "", tasks, skipped: [] }),
      evaluator: consultEvaluator,
      context,
      pool: concurrent({ workers: concurrency }),
      lookahead: 256,
      journal: { directory: join(place, "run") },
    });
    const { result } = await run.finished;
    const ms = performance.now() - startedMs;
    return { ms, answered: result.summary.ok, peakMb };
  } finally {
    clearInterval(sampling);
    await closeGateway(context);
    rmSync(place, { recursive: true, force: true });
  }
}
