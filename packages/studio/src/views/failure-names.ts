import { readRunFile } from "@coppice/engine/records";
import type { SamplingRecord } from "@coppice/projections/view";
import type { KnownRun } from "../runs/watched-run.ts";

/** Calls what failed in a run by the names that people know: an idea, a trial. */
type Namer = (run: KnownRun) => Pick<KnownRun, "failures" | "end">;

/** By the `tool` that `run.json` names; tasks of others are called by their keys. */
const namers: Readonly<Record<string, () => Promise<Namer>>> = {
  tree: async () => {
    const { namedFailures } = await import("@coppice/ideas/view");
    return (run) => namedFailures(run, run.directory);
  },
  sampling: async () => {
    const { namedTrials } = await import("@coppice/projections/view");
    // Cast: that tool has written it.
    return (run) => namedTrials(run, readRunFile(run.directory).options as SamplingRecord);
  },
};

/** Runs whose names are kept. */
const MOST_KEPT = 32;

/** The names of what failed, looked up again only when more did. */
export class FailureNames {
  readonly #loaded = new Map<string, Namer>();
  readonly #kept = new Map<string, { readonly stamp: string; readonly named: ReturnType<Namer> }>();

  /** With names, as soon as the tool's package is loaded; until then with keys. */
  of(run: KnownRun): KnownRun {
    const { tool = "" } = run.start ?? {};
    if (run.failures.total === 0 || !Object.hasOwn(namers, tool)) return run;
    const namer = this.#loaded.get(tool);
    if (namer === undefined) {
      this.load(tool).catch(() => {}); // tasks keep their keys
      return run;
    }
    const stamp = `${run.failures.total} ${run.end?.state}`;
    const kept = this.#kept.get(run.directory);
    if (kept?.stamp === stamp) return { ...run, ...kept.named };
    const { failures, end } = namer(run);
    const named = { failures, end };
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(run.directory, { stamp, named });
    return { ...run, ...named };
  }

  async load(tool = ""): Promise<void> {
    if (Object.hasOwn(namers, tool)) this.#loaded.set(tool, await namers[tool]());
  }
}
