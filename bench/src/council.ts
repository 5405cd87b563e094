import { monitorEventLoopDelay } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import { random } from "@coppice/engine";
import { type Course, type HeldCouncil, holdCouncil } from "./council/held-council.ts";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "./report.ts";

/** Long enough that starting a run, some 50 to 100 ms on a busy machine, is not what is measured. */
const ROUND_MS = 400;
const PATTERNS = 200;
const AT_ONCE = 4;
const STOPPED = 30;

/** Councils of three rounds with and without `--speculate`: how much faster, how much is wasted, and whether they agree. */
export async function councilBench({
  quick = false,
  rounds = quick ? 1 : 5,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  await holdCouncil(true, steady(10, 5)); // the first council loads and compiles everything
  const half = await timesOf(rounds, ROUND_MS / 2);
  progress("synthesis of half a round measured");
  const whole = await timesOf(rounds, ROUND_MS);
  progress("synthesis of a whole round measured");
  const stalls = monitorEventLoopDelay({ resolution: 5 });
  stalls.enable();
  const closings = await closingsOf(quick ? 2 : STOPPED);
  stalls.disable();
  progress("stopping of early requests measured");
  const patterns = quick ? 6 : PATTERNS;
  const pairs = await holdPairs(patterns, (done) => progress(`${done} of ${patterns} latency patterns compared`));
  const early = pairs.map(({ early }) => early);
  const total = (value: (council: HeldCouncil) => number) => early.reduce((sum, council) => sum + value(council), 0);
  const calls = total(({ result }) => result.totals.calls);
  const ms = (values: readonly number[]) => ({ value: Math.round(median(values) * 10) / 10, unit: "ms" });
  return benchReport(
    "council",
    rounds,
    {
      "synthesis half a round: without": ms(half.without),
      "synthesis half a round: with": ms(half.with),
      "synthesis a whole round: without": ms(whole.without),
      "synthesis a whole round: with": ms(whole.with),
      "patterns compared": { value: patterns, unit: "" },
      "requests told": { value: calls, unit: "" },
      "requests wasted, answered": { value: total(({ waste }) => waste.answered), unit: "" },
      "requests wasted, stopped": { value: total(({ waste }) => waste.aborted), unit: "" },
      "cost of told answers": { value: dollars(total(({ result }) => result.totals.cost ?? 0)), unit: "$" },
      "cost of wasted answers": { value: dollars(total(({ waste }) => waste.cost)), unit: "$" },
      "stopped at the server after": ms(closings),
      "the process itself was stalled for, at most": { value: Math.round(stalls.max / 1e5) / 10, unit: "ms" },
      "stopped at the server after, at most": { value: Math.round(Math.max(...closings) * 10) / 10, unit: "ms" },
    },
    [
      goal("time without ÷ with, synthesis half a round", medianRatio(half.without, half.with), "×", ">=", 1.25),
      goal("time without ÷ with, synthesis a whole round", medianRatio(whole.without, whole.with), "×", ">=", 1.4),
      goal("patterns that agree", pairs.filter(agree).length / patterns, "share", ">=", 1),
      goal("stopped at the server after, at most", Math.max(...closings), "ms", "<", 100),
    ],
  );
}

function timesOf(rounds: number, synthesisMs: number): Promise<Record<"without" | "with", number[]>> {
  const time = (speculate: boolean) => async () => (await holdCouncil(speculate, steady(ROUND_MS, synthesisMs))).ms;
  return alternate(rounds, { without: time(false), with: time(true) });
}

/** Councils that are over after one round, one at a time: how long after the synthesis the server saw each request closed. */
async function closingsOf(count: number): Promise<number[]> {
  const closings: number[] = [];
  // On a busy machine a council may be over before it has asked anything early.
  for (let i = 0; i < count || (closings.length === 0 && i < 10 * count); i++) {
    const { closedAfterMs } = await holdCouncil(true, { ...steady(ROUND_MS, ROUND_MS / 2), concludes: 1 });
    closings.push(...closedAfterMs);
  }
  return closings;
}

/** Everybody takes the same time, and the arbiter never has enough. */
function steady(roundMs: number, synthesisMs: number): Course {
  return { latencyMs: (label) => (label.endsWith("arbiter") ? synthesisMs : roundMs), concludes: 4 };
}

interface Pair {
  readonly plain: HeldCouncil;
  readonly early: HeldCouncil;
}

/** Each pattern with and without speculation, a few patterns at once. */
async function holdPairs(count: number, progress: (done: number) => void): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - first) }, async (_, i): Promise<Pair> => {
      const course = randomCourse(first + i);
      return { plain: await holdCouncil(false, course), early: await holdCouncil(true, course) };
    });
    pairs.push(...(await Promise.all(some)));
    if (pairs.length % 40 === 0) progress(pairs.length);
  }
  return pairs;
}

/** Latencies of 0 to 40 ms, one in eight members five times slower, and an end after any of the rounds. */
function randomCourse(pattern: number): Course {
  const source = random(pattern).at("council");
  return {
    latencyMs: (label) => {
      const own = source.at(label);
      return Math.round(own.uniform() * 40 * (own.uniform() < 0.125 ? 5 : 1));
    },
    concludes: source.at("concludes").integer(1, 4),
  };
}

function agree({ plain, early }: Pair): boolean {
  return isDeepStrictEqual(plain.result, early.result) && isDeepStrictEqual(plain.prompts, early.prompts);
}

function dollars(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
