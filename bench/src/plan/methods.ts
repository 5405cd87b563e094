import { type Instance, makePlan, type PlannerOptions, type Planning, type Weights, walkPlan } from "@coppice/airspace";

/** A row of the table: a way to plan, as options of the planner. */
export interface Method {
  readonly name: string;
  readonly options: Pick<PlannerOptions, "policy" | "without" | "episode">;
  /** Gives the same plan for every seed: measured once. */
  readonly seedless: boolean;
  /** Walkers search together, as many as there usually are; otherwise it is one search. */
  readonly together?: boolean;
}

export const methods: readonly Method[] = [
  { name: "empty", options: { policy: "empty", without: [] }, seedless: true },
  { name: "random", options: { policy: "random", without: [] }, seedless: false },
  { name: "greedy, worst hotspot", options: { policy: "greedy", without: [] }, seedless: true },
  { name: "greedy, best of all", options: { policy: "greedy-all", without: [] }, seedless: true },
  { name: "annealing", options: { policy: "annealing", without: [] }, seedless: false },
  { name: "episodes", options: { policy: "plain", without: [] }, seedless: false },
  {
    name: "episodes of sampled regulations",
    options: { policy: "plain", without: [], episode: { priors: "sampled" } },
    seedless: false,
  },
  { name: "ours, without annealing", options: { policy: "default", without: ["annealing"] }, seedless: false },
  { name: "ours, without the tree", options: { policy: "default", without: ["tree"] }, seedless: false },
  { name: "walkers", options: { policy: "default", without: [] }, seedless: false, together: true },
  { name: "ours", options: { policy: "default", without: [] }, seedless: false },
];

/** What a method gave over all seeds of one setting. */
export interface Measured {
  readonly plannings: readonly Planning[];
  readonly seconds: number;
}

/** Plans once per seed and notes the time of all. */
export function measure(
  instance: Instance,
  weights: Weights,
  { options, seedless, together = false }: Method,
  evaluations: number,
  seeds: readonly number[],
): Measured {
  const began = performance.now();
  const used = seedless ? seeds.slice(0, 1) : seeds;
  const plannings = used.flatMap((seed) => {
    const given = { ...options, seed, evaluations };
    return (together ? walkPlan(instance, weights, given).best : makePlan(instance, weights, given)) ?? [];
  });
  return { plannings, seconds: (performance.now() - began) / 1000 / used.length };
}
