import type { Failure, Outcome, Proposal, Search, SearchProgress } from "@coppice/engine";
import type { BinWindow } from "../../instance/instance.ts";
import type { ControlMode } from "../../rate-search/rate-model.ts";
import type { HotspotCandidate } from "../hotspots/inventory.ts";
import type { Flow } from "../scoring/controlled-flows.ts";

/** A hotspot to find published rates for. */
export interface ReferenceTask {
  readonly volume: number;
  readonly window: BinWindow;
  readonly flows: readonly Flow[];
  readonly mode: ControlMode;
  /** Whether rates that the demand suggests are tried besides the usual ones. */
  readonly adaptive: boolean;
}

/** What a worker found: rates and by how much they change the hotspot's published objective. */
export interface ReferenceValue {
  readonly flowIds: readonly string[];
  /** Per flow, or one for all; null means no rate. */
  readonly rates: readonly (number | null)[];
  readonly deltaJ: number;
  readonly evaluations: number;
}

/** A regulation as it was found. */
export interface FoundRegulation extends Pick<ReferenceTask, "volume" | "window" | "mode"> {
  /** Flows that have a rate, by id; for one rate over all flows every flow has it. */
  readonly rates: Readonly<Record<string, number>>;
  readonly deltaJ: number;
}

export interface ReferenceResult {
  /** Those that lower the objective of their hotspot, the strongest first. */
  readonly regulations: readonly FoundRegulation[];
  readonly hotspots: number;
  readonly evaluations: number;
  readonly failures: readonly Failure[];
}

/**
 * The published planner's regulations: the rates of every hotspot by its own rate finder, per flow and for all flows, of
 * which the one that lowers the published objective most is taken. Its plans change no traffic for later searches, so
 * hotspots are independent of each other.
 */
export class ReferenceSearch implements Search<ReferenceTask, ReferenceValue, ReferenceResult> {
  readonly #tasks: readonly ReferenceTask[];
  readonly #hotspots: number;
  readonly #most: number;
  readonly #outcomes: Outcome<ReferenceValue>[] = [];
  #asked = 0;

  constructor(candidates: readonly HotspotCandidate[], mostRegulations: number) {
    this.#hotspots = candidates.length;
    this.#most = mostRegulations;
    this.#tasks = candidates.flatMap(({ volume, window, flows }) =>
      (["per_flow", "blanket"] as const).flatMap((mode) =>
        [false, true].map((adaptive) => ({ volume, window, flows, mode, adaptive })),
      ),
    );
  }

  ask(): Proposal<ReferenceTask> {
    if (this.#asked === this.#tasks.length) {
      return { kind: this.#outcomes.length === this.#tasks.length ? "done" : "wait" };
    }
    const candidate = this.#tasks[this.#asked++];
    const { volume, window, mode, adaptive } = candidate;
    return {
      kind: "candidate",
      candidate,
      key: `${volume}/${window.join("-")}/${mode}/${adaptive ? "adaptive" : "usual"}`,
    };
  }

  tell(outcome: Outcome<ReferenceValue>): void {
    this.#outcomes.push(outcome);
  }

  result(): ReferenceResult {
    const best = new Map<string, FoundRegulation>();
    let evaluations = 0;
    this.#outcomes.forEach((outcome, at) => {
      if (!outcome.ok) return;
      evaluations += outcome.value.evaluations;
      const found = regulationOf(this.#tasks[at], outcome.value);
      const hotspot = `${found.volume} ${found.window}`;
      if (found.deltaJ < (best.get(hotspot)?.deltaJ ?? 0)) best.set(hotspot, found);
    });
    return {
      regulations: [...best.values()].sort((a, b) => a.deltaJ - b.deltaJ).slice(0, this.#most),
      hotspots: this.#hotspots,
      evaluations,
      failures: this.#outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.failure])),
    };
  }

  progress(): SearchProgress {
    const { regulations } = this.result();
    const gain = regulations.reduce((sum, { deltaJ }) => sum + deltaJ, 0);
    return {
      levels: [{ name: "Rates", done: this.#outcomes.length, total: this.#tasks.length }],
      ...(regulations.length === 0 ? {} : { best: gain }),
    };
  }
}

function regulationOf(
  { volume, window, flows, mode }: ReferenceTask,
  { flowIds, rates, deltaJ }: ReferenceValue,
): FoundRegulation {
  const ids = mode === "blanket" ? flows.map(({ id }) => id) : flowIds;
  const pairs = ids.flatMap((id, flow) => {
    const rate = rates[mode === "blanket" ? 0 : flow];
    return rate === null ? [] : [[id, rate] as const];
  });
  return { volume, window, mode, rates: Object.fromEntries(pairs), deltaJ };
}
