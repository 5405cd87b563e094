import { Gateway, parseModels } from "@coppice/agents/models";
import { PracticeServer } from "@coppice/agents/practice-server";
import { askSwarm } from "./ask/asked-swarm.ts";
import { ServerProcess } from "./ask/server-process.ts";
import { hasTerminals, shownAfter } from "./ask/shown-answers.ts";
import { median } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Figure, goal } from "./report.ts";

const CONCURRENCY = 50;
/** Until the pace has been found; what happens before is reported by itself. */
const SETTLING_SECONDS = 8;

/** Asking models over real HTTP: what a batch adds to its slowest answer, memory over many prompts, pace under refusals. */
export async function askBench({
  rounds = 3,
  quick = false,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  const batches: number[] = [];
  for (let round = 0; round < rounds; round++) {
    batches.push(await batchOverSlowest(quick ? 300 : 3000));
    progress(`batch of 12: ${batches[round].toFixed(3)} times its slowest answer`);
  }
  const many = await manyPrompts(quick ? 60 : 1000);
  progress(`${many.answered} prompts: ${(many.ms / 1000).toFixed(1)} s`);
  const limited = await underRefusals(quick ? { perSecond: 40, seconds: 3 } : { perSecond: 40, seconds: 30 });
  progress(`quota of 40 per second: ${limited.perSecond.toFixed(1)} per second, ${limited.refused} refused`);

  const firstMs = await firstCharacter(quick ? 5 : 21);
  progress(`first character: ${firstMs.toFixed(1)} ms after the server sent it`);
  const shownMs = hasTerminals() ? median(await shownAfter(quick ? 2 : 11)) : undefined;
  if (shownMs === undefined)
    progress("no script of util-linux: what the whole command shows at a terminal is not measured");
  else progress(`first character at a terminal: ${shownMs.toFixed(1)} ms after the server sent it`);

  const figures: Record<string, Figure> = {
    "first character after the server's": { value: firstMs, unit: "ms" },
    ...(shownMs === undefined ? {} : { "first character at a terminal": { value: shownMs, unit: "ms" } }),
    "batch of 12 over its slowest answer": { value: median(batches), unit: "×" },
    "prompts at concurrency 50": { value: many.answered, unit: "" },
    "time over all prompts": { value: many.ms, unit: "ms" },
    "time over the least possible": { value: many.ms / many.leastMs, unit: "×" },
    "most requests at once": { value: many.mostAtOnce, unit: "" },
    "memory, at most": { value: many.peakMb, unit: "MB" },
    "memory, at most, over as many again": { value: many.againMb, unit: "MB" },
    "server's limit": { value: limited.limit, unit: "/s" },
    "requests let in, once settled": { value: limited.perSecond, unit: "/s" },
    "requests refused, once settled": { value: limited.refusedPerSecond, unit: "/s" },
    "requests refused in all": { value: limited.refused, unit: "" },
    "answers under refusals": { value: limited.answered, unit: "" },
  };
  return benchReport("ask", rounds, figures, [
    goal("batch over its slowest answer", median(batches), "×", "<=", 1.1),
    goal("unanswered of many prompts", many.unanswered, "", "<=", 0),
    goal("memory that as many again add", many.againMb - many.peakMb, "MB", "<=", 64),
    goal("settled pace over the server's limit", limited.perSecond / limited.limit, "×", ">=", 0.9),
    goal("refused once settled, of all sent", limited.refusedShare, "×", "<=", 0.1),
    goal("unanswered under refusals", limited.unanswered, "", "<=", 0),
    goal("first character after the server's", firstMs, "ms", "<=", 30),
    ...(shownMs === undefined
      ? []
      : [goal("first character at a terminal, after the server's", shownMs, "ms", "<=", 30)]),
  ]);
}

/** How long after the server sent the first character of an answer it is there to be shown; without the command around it. */
async function firstCharacter(count: number): Promise<number> {
  const sentAfterMs = 50;
  await using server = await PracticeServer.start({
    respond: () => ({ kind: "answer", content: "one two three", latencyMs: sentAfterMs, firstByteMs: sentAfterMs }),
  });
  const gateway = new Gateway({
    models: parseModels(JSON.stringify({ providers: { here: { baseUrl: server.url } } }), "the benchmark"),
    place: "the benchmark",
    timeoutMs: 60_000,
    retries: 0,
    concurrency: 1,
  });
  const lateMs: number[] = [];
  // The first request loads what it needs.
  for (let i = 0; i <= count; i++) {
    let arrivedAtMs = Number.NaN;
    await gateway.ask(
      { model: "here/m", messages: [{ role: "user", content: "count" }] },
      {
        signal: new AbortController().signal,
        arrived: (_characters, content) => {
          if (content !== "" && Number.isNaN(arrivedAtMs)) arrivedAtMs = performance.now();
        },
      },
    );
    if (i > 0) lateMs.push(arrivedAtMs - (server.calls[i].atMs + sentAfterMs));
  }
  await gateway.close();
  return median(lateMs);
}

/** Twelve answers that take from a third of the time to all of it. */
async function batchOverSlowest(slowestMs: number): Promise<number> {
  await using server = await ServerProcess.start({ latencyMs: 0, answer: "It depends." });
  const prompts = Array.from(
    { length: 12 },
    (_, i) => `wait ${Math.round(slowestMs * (1 / 3 + (2 / 3) * (i / 11)))} ms`,
  );
  // The first request of a process loads the client; people who ask twice do not wait for that.
  await askSwarm(server.url, ["wait 1 ms"], 1);
  const { ms } = await askSwarm(server.url, prompts, CONCURRENCY);
  return ms / slowestMs;
}

async function manyPrompts(count: number) {
  const latencyMs = 200;
  await using server = await ServerProcess.start({ latencyMs, answer: "All is well. ".repeat(150) });
  const prompts = Array.from({ length: count }, (_, i) => `Prompt ${i}. ${"Consider this. ".repeat(250)}`);
  const swarm = await askSwarm(server.url, prompts, CONCURRENCY);
  // The first thousand make the heap as large as it gets; what is kept of each would show in the second.
  const again = await askSwarm(server.url, prompts, CONCURRENCY);
  const { mostAtOnce } = await server.report();
  const leastMs = Math.ceil(count / CONCURRENCY) * latencyMs;
  return {
    ...swarm,
    againMb: again.peakMb,
    mostAtOnce,
    leastMs,
    unanswered: 2 * count - swarm.answered - again.answered,
  };
}

async function underRefusals({ perSecond: limit, seconds }: { readonly perSecond: number; readonly seconds: number }) {
  const quota = { perSecond: limit, burst: 5, retryAfter: false };
  await using server = await ServerProcess.start({ latencyMs: 100, answer: "Well then.", quota });
  const prompts = Array.from({ length: limit * seconds }, (_, i) => `Prompt ${i}`);
  const { answered } = await askSwarm(server.url, prompts, CONCURRENCY);
  const report = await server.report();
  // The last second is not a whole one.
  const settled = report.seconds.slice(Math.min(SETTLING_SECONDS, report.seconds.length - 2), -1);
  const mean = (what: "admitted" | "refused") => settled.reduce((sum, each) => sum + each[what], 0) / settled.length;
  return {
    limit,
    perSecond: mean("admitted"),
    refusedPerSecond: mean("refused"),
    refusedShare: mean("refused") / (mean("admitted") + mean("refused")),
    refused: report.refused,
    answered,
    unanswered: prompts.length - answered,
  };
}
