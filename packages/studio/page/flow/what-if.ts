import type { FlowView } from "@coppice/airspace/view";
import {
  findHotspots,
  type Instance,
  type Plan,
  planFileContent,
  type Regulation,
  type ScratchResult,
  scoreFromScratch,
  unpackDay,
} from "@coppice/airspace/what-if";
import { type Signal, signal } from "@preact/signals";

/** A plan and what it does to the day. */
export interface Tried extends ScratchResult {
  readonly plan: Plan;
  /** Where each regulation of it stands in the list, in which some may be switched off. */
  readonly lines: readonly number[];
  readonly hotspots: number;
}

/** A line of the plan as somebody set it. */
export interface Line {
  readonly regulation: Regulation;
  readonly on: boolean;
}

/** A day, the plan that was found for it, and what somebody makes of that plan. Scored here, as `coppice flow score` does. */
export class WhatIf {
  readonly view: FlowView;
  readonly day: Instance;
  /** Without any plan, and with the plan that was found. */
  readonly before: Tried;
  readonly found: Tried;
  readonly lines: Signal<readonly Line[]>;
  /** The lines that are on, as they are now. */
  readonly tried: Signal<Tried>;
  #waiting = false;

  constructor(view: FlowView) {
    this.view = view;
    this.day = unpackDay(view.day);
    this.before = this.#score([]);
    this.found = view.plan.length === 0 ? this.before : this.#score(view.plan);
    this.lines = signal(view.plan.map((regulation) => ({ regulation, on: true })));
    this.tried = signal(this.found);
  }

  /** Changes a line; what that does is known with the next picture. */
  edit(line: number, on: boolean, regulation: Partial<Regulation> = {}): void {
    const began = performance.now();
    this.lines.value = this.lines.value.with(line, {
      on,
      regulation: { ...this.lines.value[line].regulation, ...regulation },
    });
    if (this.#waiting) return;
    this.#waiting = true;
    requestAnimationFrame(() => {
      this.#waiting = false;
      const on = this.lines.value.flatMap((each, at) => (each.on ? [at] : []));
      this.tried.value = this.#score(this.plan(), on);
      // From the hand's move to the picture.
      requestAnimationFrame(() => performance.measure("what-if", { start: began, end: performance.now() }));
    });
  }

  /** Back to the plan that was found. */
  reset(): void {
    this.lines.value = this.view.plan.map((regulation) => ({ regulation, on: true }));
    this.tried.value = this.found;
  }

  plan(): Plan {
    return this.lines.value.filter(({ on }) => on).map(({ regulation }) => regulation);
  }

  /** The plan as it is now, as a file that `coppice flow` reads. */
  file(): string {
    return `${JSON.stringify(planFileContent(this.plan(), this.day, this.view.weights), null, 2)}\n`;
  }

  #score(plan: Plan, lines: readonly number[] = [...plan.keys()]): Tried {
    const result = scoreFromScratch(this.day, plan, this.view.weights);
    return { ...result, plan, lines, hotspots: findHotspots(this.day, result.hourCount).length };
  }
}

const known = new WeakMap<FlowView, WhatIf>();

/** What somebody makes of a view's plan; the same for the same view. */
export function whatIfOf(view: FlowView): WhatIf {
  const made = known.get(view) ?? new WhatIf(view);
  known.set(view, made);
  return made;
}

/** Entries into a volume in the hour that starts with each bin, flow by flow. */
export function hoursByFlow(day: Instance, { delayMinutes }: ScratchResult, volume: number): Int32Array[] {
  const { binMinutes, binCount, visitOffset, visitVolume, visitFlow, takeoffSecond, entrySecond } = day;
  const hours = day.flowNames[volume].map(() => new Int32Array(binCount));
  for (let flight = 0; flight < delayMinutes.length; flight++) {
    for (let visit = visitOffset[flight]; visit < visitOffset[flight + 1]; visit++) {
      if (visitVolume[visit] !== volume) continue;
      const minute = (takeoffSecond[flight] + entrySecond[visit]) / 60 + delayMinutes[flight];
      const bin = Math.floor(minute / binMinutes);
      if (bin < 0 || bin >= binCount) continue;
      const row = hours[visitFlow[visit]];
      for (let from = Math.max(0, bin - 60 / binMinutes + 1); from <= bin; from++) row[from]++;
    }
  }
  return hours;
}
