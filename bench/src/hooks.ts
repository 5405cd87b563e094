import { fileURLToPath } from "node:url";
import { buildBundle } from "coppice/hooks/bundle";
import { bareStages, type HookList, HooksProject } from "./hooks/hooks-project.ts";
import { measureDaemon } from "./hooks/measure-daemon.ts";
import { type WayFigures, Ways } from "./hooks/measure-ways.ts";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, type Goal, goal } from "./report.ts";

const HOOKS = 21;
const WAIT_MS = 50;
/** The stages of the 21 hooks in the test fixture. */
const IN_STAGES: HookList = { command: ["sleep", "0.05"], stages: [19, 1, 1] };
const AT_ONCE: HookList = { ...IN_STAGES, stages: [HOOKS] };
/** Programs, not `true`: that one is a word of the shell, and would be started through one. */
const TRIVIAL: HookList = { command: ["sleep", "0"], stages: [HOOKS] };

const bare = fileURLToPath(new URL("./hooks/bare-stages.cjs", import.meta.url));

/** Whole commands, as an agent would start them: one by one, in stages, all at once, and what is ours in it. */
export async function hooksBench({
  quick = false,
  rounds = quick ? 1 : 11,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  using project = new HooksProject();
  const bundle = await buildBundle(`${project.root}/bundle`);
  const run = (event: string, ...more: readonly string[]): number =>
    project.time(process.execPath, [bundle, "hooks", "run", event, ...more]);
  const runBare = (list: HookList): number => project.time(process.execPath, [bare, bareStages(list)]);
  const empty = project.write("empty.mjs", "");

  const configured = (list: HookList, measure: () => number) => (): number => {
    project.configure("UserPromptSubmit", list);
    return measure();
  };
  const sleeping = await alternate(rounds, {
    serial: configured(IN_STAGES, () => run("UserPromptSubmit", "--serial")),
    ours: configured(IN_STAGES, () => run("UserPromptSubmit")),
    bare: () => runBare(IN_STAGES),
    oursAtOnce: configured(AT_ONCE, () => run("UserPromptSubmit")),
    unsafe: () => runBare(AT_ONCE),
  });
  progress("21 hooks that wait 50 ms measured");
  // Apart from each other: what follows 21 processes that all end at once is measured while they are cleared away.
  const start = await alternate(rounds * 2, {
    cold: configured(IN_STAGES, () => run("Stop")),
    empty: () => project.time(process.execPath, [empty]),
  });
  const small = await alternate(rounds * 2, {
    trivial: configured(TRIVIAL, () => run("UserPromptSubmit")),
    bareTrivial: () => runBare(TRIVIAL),
  });
  progress("start-up and overhead measured");
  project.configure("UserPromptSubmit", TRIVIAL);
  const daemon = await measureDaemon(project, quick ? 20 : 500, rounds, (...more) => run("UserPromptSubmit", ...more));
  progress("daemon measured");
  const ways = await measureWays(project, bundle, quick ? 1 : rounds);
  progress("ways measured");

  const perHook = median(small.trivial.map((ms, round) => (ms - small.bareTrivial[round]) / HOOKS));
  const warmMs = median(daemon.warm);
  const ms = (values: readonly number[]) => ({ value: round(median(values)), unit: "ms" });
  return benchReport(
    "hooks",
    rounds,
    {
      "21 hooks of 50 ms, one by one": ms(sleeping.serial),
      "21 hooks of 50 ms, in 3 stages": ms(sleeping.ours),
      "the same stages, bare": ms(sleeping.bare),
      "21 hooks of 50 ms without conflicts": ms(sleeping.oursAtOnce),
      "all at once, unsafe": ms(sleeping.unsafe),
      "start, with nothing to run": ms(start.cold),
      "node empty.mjs": ms(start.empty),
      "21 hooks that do nothing": ms(small.trivial),
      "the same, bare": ms(small.bareTrivial),
      "module hook in the daemon": { value: Math.round(warmMs * 1000) / 1000, unit: "ms" },
      "module hook in the daemon, 95 %": { value: round(percentile(daemon.warm, 0.95)), unit: "ms" },
      "the same hook as a process": ms(daemon.asProcess),
      "21 hooks that do nothing, staged by the daemon": ms(daemon.plannedThere),
      "the same beside it, staged by themselves": ms(daemon.plannedHere),
      ...wayFigures("21 hooks of 50 ms at once", ways.commands),
      ...wayFigures("21 module hooks of 50 ms at once", ways.modules),
      ...wayFigures("21 module hooks of 50 ms in 3 stages", ways.staged),
    },
    [
      goal(
        "in stages, against bare spawning of the same stages",
        medianRatio(sleeping.ours, sleeping.bare),
        "×",
        "<=",
        1.15,
      ),
      goal("one by one, against in stages", medianRatio(sleeping.serial, sleeping.ours), "×", ">=", 3),
      goal("start, against node empty.mjs", medianRatio(start.cold, start.empty), "×", "<=", 1.6),
      goal("overhead per hook", perHook, "ms", "<=", 2),
      goal("module hook in the daemon", warmMs, "ms", "<=", 1),
      goal("21 module hooks of 50 ms at once, with the daemon", median(ways.modules.daemon), "ms", "<=", 110),
      goal("21 module hooks of 50 ms at once, posted", median(ways.modules.http), "ms", "<=", 110),
      againstLongestPath("21 module hooks in 3 stages, with the daemon", ways.staged.daemon),
      againstLongestPath("21 module hooks in 3 stages, posted", ways.staged.http),
    ],
  );
}

/** In stages, hooks take at least what the longest path of waiting hooks takes. */
function againstLongestPath(what: string, values: readonly number[]): Goal {
  const longestMs = IN_STAGES.stages.length * WAIT_MS;
  return goal(`${what}, against the longest path`, median(values) / longestMs, "×", "<=", 1.15);
}

/** Every way of the 21 hooks: as commands, as modules, and as modules of which some wait for others. */
async function measureWays(project: HooksProject, bundle: string, rounds: number) {
  const event = "UserPromptSubmit";
  const ways = await Ways.open(project, bundle);
  try {
    project.configure(event, AT_ONCE);
    const commands = await ways.measure(rounds);
    project.configureModules(event, WAIT_MS, AT_ONCE.stages);
    // The first call of a module loads it.
    if (rounds > 1) await ways.measure(1);
    const modules = await ways.measure(rounds);
    project.configureModules(event, WAIT_MS, IN_STAGES.stages);
    if (rounds > 1) await ways.measure(1);
    return { commands, modules, staged: await ways.measure(rounds) };
  } finally {
    ways.close();
  }
}

function wayFigures(what: string, { sources, bundle, daemon, http }: WayFigures) {
  const ms = (values: readonly number[]) => ({ value: round(median(values)), unit: "ms" });
  return {
    [`${what}, a process from the sources`]: ms(sources),
    [`${what}, a process from the bundle`]: ms(bundle),
    [`${what}, a process and the daemon`]: ms(daemon),
    [`${what}, posted to the daemon`]: ms(http),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
