import type { Random } from "@coppice/engine/evaluator";
import type { Sampler, Trial } from "../samplers/trial.ts";
import { everyPoint, isAllowed, mostPoints, type Point, pointAt, type SearchSpace } from "../space/search-space.ts";

/** The next point, or why there is none. */
export type Choice =
  | { readonly kind: "point"; readonly point: Point; readonly place?: Float64Array }
  | { readonly kind: "wait" }
  | { readonly kind: "end"; readonly why: string };

/** Spaces with no more points than this are counted through, so that no point is tried twice and the end is known. */
const COUNTED = 20_000;
/** How often a sampler may propose what is not allowed or was tried before. */
const ATTEMPTS = 100;
/** How many points of the whole space are drawn to find one that constraints allow. */
const DRAWN = 10_000;

/** Has a sampler choose points that keep the space's constraints and, where points can be counted, are new. */
export function pointChooser(
  space: SearchSpace,
  sampler: Sampler,
  first: readonly Point[],
): (trials: readonly Trial[], draws: Random) => Choice {
  const counted = mostPoints(space) <= COUNTED ? [...everyPoint(space)] : undefined;
  /** What was not tried yet, by its text. */
  const left = counted && new Map(counted.map((point) => [JSON.stringify(point), point]));
  const seen = new Set<string>();
  let given = 0;
  const taken = (point: Point, place?: Float64Array): Choice => {
    seen.add(JSON.stringify(point));
    left?.delete(JSON.stringify(point));
    return { kind: "point", point, ...(place === undefined ? {} : { place }) };
  };
  return (trials, draws) => {
    if (given < first.length) return taken(first[given++]);
    if (left?.size === 0) return { kind: "end", why: allTried(space, counted?.length ?? 0) };
    let allowed: { readonly point: Point; readonly place: Float64Array } | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const place = sampler.next(trials, draws.at(attempt));
      if (place === undefined) return { kind: "wait" };
      const point = pointAt(space, place);
      if (!isAllowed(space, point)) continue;
      allowed = { point, place };
      if (!seen.has(JSON.stringify(point))) return taken(point, place);
    }
    if (left !== undefined) return taken(draws.at("left").choice([...left.values()]));
    if (allowed !== undefined) return taken(allowed.point, allowed.place);
    const anywhere = draws.at("anywhere");
    for (let i = 0; i < DRAWN; i++) {
      const point = pointAt(
        space,
        Float64Array.from(space.parameters, () => anywhere.uniform()),
      );
      if (isAllowed(space, point)) return taken(point);
    }
    return { kind: "end", why: `none of the ${ATTEMPTS + DRAWN} points that were tried keeps its constraints` };
  };
}

function allTried(space: SearchSpace, count: number): string {
  if (count === 0) {
    const all = [...everyPoint({ ...space, constraints: [] })].length;
    return all === 1
      ? "the space's only point breaks its constraints"
      : `none of the space's ${all} points keeps its constraints`;
  }
  return count === 1
    ? "the space has only 1 point, which was tried"
    : `the space has only ${count} points, and all were tried`;
}
