import type { Random } from "@coppice/engine";
import { binsPerHour, type Instance } from "../instance/instance.ts";
import { flowsOf, hasDuplicate, type Plan, type Regulation } from "../network/regulation.ts";
import { PlanMemory } from "./plan-memory.ts";
import { clamp, demandOf, LEAST_BINS, type RegulationSampler } from "./regulation-sampler.ts";
import { merged, splitByFlow, splitByTime } from "./split-lines.ts";

/** How often each kind of edit is tried, relative to the others. */
export interface EditWeights {
  readonly rate: number;
  readonly window: number;
  readonly flow: number;
  readonly exchange: number;
  readonly add: number;
  readonly remove: number;
  readonly move: number;
  readonly replace: number;
  readonly splitFlow: number;
  readonly splitTime: number;
  readonly merge: number;
  readonly recall: number;
  readonly restore: number;
}

const defaultEditWeights: EditWeights = {
  rate: 24,
  window: 30,
  flow: 22,
  exchange: 12,
  add: 25,
  remove: 8,
  move: 6,
  replace: 2,
  splitFlow: 5,
  splitTime: 4,
  merge: 7,
  recall: 20,
  restore: 10,
};

/** How often, from 0 to 1 of what is usual, flows are exchanged, lines split and merged, and memory is asked for others. */
export interface EditFrequency {
  readonly exchange: number;
  readonly splitting: number;
  readonly recall: number;
}

/** The usual edits, some of them less often. */
export function editWeights(often: EditFrequency): EditWeights {
  const { exchange, splitFlow, splitTime, merge, recall, restore } = defaultEditWeights;
  const { splitting } = often;
  return {
    ...defaultEditWeights,
    exchange: often.exchange * exchange,
    splitFlow: splitting * splitFlow,
    splitTime: splitting * splitTime,
    merge: splitting * merge,
    recall: often.recall * recall,
    restore: often.recall * restore,
  };
}

/** How often a new line is a remembered one: more often the more there are to choose from, up to three in ten. */
function memoryShare(remembered: number): number {
  return (0.3 * remembered) / (remembered + 300);
}

/** Draws plans that differ from a plan in one edit. */
export class PlanEdits {
  readonly #instance: Instance;
  readonly #sampler: RegulationSampler;
  readonly #kinds: readonly (keyof EditWeights)[];
  readonly #weights: readonly number[];
  /** How often each kind was drawn. */
  readonly counts: Record<keyof EditWeights, number>;
  /** A share of the lines that are added comes from here, and all that `recall` and `restore` put in place of others. */
  readonly memory: PlanMemory;

  constructor(
    instance: Instance,
    sampler: RegulationSampler,
    weights: EditWeights = defaultEditWeights,
    memory = new PlanMemory(),
  ) {
    this.memory = memory;
    this.#instance = instance;
    this.#sampler = sampler;
    this.#kinds = Object.keys(weights) as (keyof EditWeights)[];
    this.#weights = this.#kinds.map((kind) => weights[kind]);
    const none = { rate: 0, window: 0, flow: 0, exchange: 0, add: 0, remove: 0, move: 0, replace: 0 };
    this.counts = { ...none, splitFlow: 0, splitTime: 0, merge: 0, recall: 0, restore: 0 };
  }

  /** A neighbour of the kept plan, or undefined when the edit drawn is not possible or would make two lines duplicates. */
  draw(plan: Plan, random: Random): Plan | undefined {
    const drawn = this.#drawn(plan, random);
    return drawn === undefined || hasDuplicate(drawn) ? undefined : drawn;
  }

  /** How often each kind was drawn that was. */
  counted(): Record<string, number> {
    return Object.fromEntries(Object.entries(this.counts).filter(([, count]) => count > 0));
  }

  #drawn(plan: Plan, random: Random): Plan | undefined {
    const kind = plan.length === 0 ? "add" : this.#kinds[random.weightedIndex(this.#weights)];
    this.counts[kind]++;
    if (kind === "add") {
      const added = this.#newLine(random);
      if (added === undefined) return undefined;
      return plan.toSpliced(random.uniform() < 0.5 ? plan.length : random.integer(0, plan.length), 0, added);
    }
    if (kind === "restore") return this.memory.restored(plan, random);
    const at = random.integer(0, plan.length - 1);
    if (kind === "remove") return plan.toSpliced(at, 1);
    if (kind === "move") {
      if (plan.length < 2) return undefined;
      const to = random.integer(0, plan.length - 2);
      return plan.toSpliced(at, 1).toSpliced(to < at ? to : to + 1, 0, plan[at]);
    }
    if (kind === "splitFlow" || kind === "splitTime" || kind === "merge")
      return this.#regrouped(plan, at, kind, random);
    const edited = this.#inPlaceOf(plan[at], kind, random);
    return edited === undefined ? undefined : plan.with(at, edited);
  }

  #inPlaceOf(
    line: Regulation,
    kind: "replace" | "recall" | "exchange" | "rate" | "window" | "flow",
    random: Random,
  ): Regulation | undefined {
    if (kind === "replace") return this.#newLine(random);
    if (kind === "exchange") return this.#exchangedFlow(line, random);
    return kind === "recall" ? this.memory.otherLine(line, random) : this.#tuned(line, kind, random);
  }

  /** The regulation with another rate, window or set of flows. */
  tune(regulation: Regulation, kind: "rate" | "window" | "flow", random: Random): Regulation | undefined {
    this.counts[kind]++;
    return this.#tuned(regulation, kind, random);
  }

  #tuned(regulation: Regulation, kind: "rate" | "window" | "flow", random: Random): Regulation | undefined {
    if (kind === "rate") return this.#otherRate(regulation, random);
    return kind === "window" ? this.#otherWindow(regulation, random) : this.#otherFlows(regulation, random);
  }

  /** The plan with a line in two, or with two lines of one volume as one. */
  #regrouped(plan: Plan, at: number, kind: "splitFlow" | "splitTime" | "merge", random: Random): Plan | undefined {
    if (kind !== "merge") {
      const parts = kind === "splitFlow" ? splitByFlow(plan[at], this.#sampler, random) : splitByTime(plan[at], random);
      return parts === undefined ? undefined : plan.toSpliced(at, 1, ...parts);
    }
    const { volume } = plan[at];
    const others = [...plan.keys()].filter((k) => k !== at && plan[k].volume === volume);
    if (others.length === 0) return undefined;
    const other = random.choice(others);
    const line = merged(plan[at], plan[other], this.#sampler, binsPerHour(this.#instance));
    return plan.with(at, line).toSpliced(other, 1);
  }

  #newLine(random: Random): Regulation | undefined {
    if (random.uniform() < memoryShare(this.memory.lineCount)) return this.memory.line(random);
    return this.#sampler.draw(random);
  }

  #otherRate(regulation: Regulation, random: Random): Regulation {
    const { ratePerHour } = regulation;
    const step = Math.max(1, Math.round(ratePerHour * 0.2 * random.uniform()));
    const rate = random.uniform() < 0.5 && ratePerHour > 1 ? Math.max(1, ratePerHour - step) : ratePerHour + step;
    return { ...regulation, ratePerHour: rate };
  }

  #otherWindow(regulation: Regulation, random: Random): Regulation | undefined {
    const { binCount } = this.#instance;
    const by = random.integer(1, 5) * (random.uniform() < 0.5 ? -1 : 1);
    const which = random.integer(0, 2);
    let { fromBin, toBin } = regulation;
    if (which !== 1) fromBin = clamp(fromBin + by, 0, binCount);
    if (which !== 0) toBin = clamp(toBin + by, 0, binCount);
    if (toBin - fromBin < LEAST_BINS) return undefined;
    if (fromBin === regulation.fromBin && toBin === regulation.toBin) return undefined;
    return { ...regulation, fromBin, toBin };
  }

  /** One flow in or out. */
  #otherFlows(regulation: Regulation, random: Random): Regulation | undefined {
    const flowCount = this.#instance.flowNames[regulation.volume].length;
    return this.#withFlows(regulation, regulation.flows ^ (1 << random.integer(0, flowCount - 1)));
  }

  /** One flow out and another in: done one after the other, the line between them would hardly ever be taken. */
  #exchangedFlow(regulation: Regulation, random: Random): Regulation | undefined {
    const inside = flowsOf(regulation.flows);
    const outside = [...this.#instance.flowNames[regulation.volume].keys()].filter((flow) => !inside.includes(flow));
    if (inside.length === 0 || outside.length === 0) return undefined;
    return this.#withFlows(regulation, regulation.flows ^ (1 << random.choice(inside)) ^ (1 << random.choice(outside)));
  }

  /** The line for other flows; the rate follows the demand that came or went. Undefined if no flight came or went. */
  #withFlows(regulation: Regulation, flows: number): Regulation | undefined {
    const { volume, fromBin, toBin, ratePerHour } = regulation;
    const counts = this.#sampler.entrants(volume, fromBin, toBin);
    const before = demandOf(regulation.flows, counts);
    const after = demandOf(flows, counts);
    if (before === 0 || after === 0 || demandOf(regulation.flows ^ flows, counts) === 0) return undefined;
    return { ...regulation, flows, ratePerHour: Math.max(1, Math.round((ratePerHour * after) / before)) };
  }
}
