import { type Random, random } from "@coppice/engine/evaluator";

/** Cities of a map: x and y of each. */
export interface Cities {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Where cities lie, by the name of the horizon. A schedule that suits one map need not suit another. */
const layouts: Readonly<Record<string, (cities: Random) => readonly [number, number]>> = {
  scattered: (cities) => [cities.uniform(), cities.uniform()],
  clustered: (cities) => {
    const centre = random(1).at(`centre/${cities.integer(1, 4)}`);
    return [cities.normal(centre.uniform(), 0.03), cities.normal(centre.uniform(), 0.03)];
  },
  ring: (cities) => {
    const angle = 2 * Math.PI * cities.uniform();
    const radius = cities.normal(1, 0.02);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  },
};

/** The map of a horizon; `variant` tells several of the same kind apart. */
export function drawMap(horizon: string, variant: number, count: number): Cities {
  const layout = layouts[horizon];
  if (layout === undefined) throw new RangeError(`no map is called ${horizon}: ${Object.keys(layouts).join(", ")}`);
  const cities = random(7).at(horizon).at(variant);
  const places = Array.from({ length: count }, () => layout(cities));
  return { x: Float64Array.from(places, ([x]) => x), y: Float64Array.from(places, ([, y]) => y) };
}
