import { type Ended, type Fault, faults as kinds, longOutages, noRedis, Scene, TASKS } from "@coppice/cluster/faults";
import { type Attack, TollCount } from "../attack.ts";

/** A scene is used for so many faults, then made anew. */
const PER_SCENE = 12;
/** Scenes at once: most of a fault is waiting. */
const SCENES = 2;

export const clusterFaults: Attack = {
  name: "cluster faults",
  summary: "workers, coordinators, Redis, disks, clocks and the wires between them fail in a cluster",
  share: 2,
  alone: 100,
  measures: ["lost", "repeated", "wrong", "left", "keys"],
  impossible: () => noRedis,
  strike: async ({ faults, draw, progress }) => {
    const count = new TollCount();
    const possible = kinds.filter(({ name, impossible }) => {
      const cannot = impossible?.();
      if (cannot !== undefined) progress(`cluster faults: not tried, ${cannot}: ${name}`);
      return cannot === undefined;
    });
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < faults) {
        await using scene = await Scene.begin();
        const calm = await scene.reference();
        for (let i = 0; i < PER_SCENE && next < faults; i++) {
          const number = next++;
          const own = draw.at(`fault/${number}`);
          const kind = possible[own.at("kind").integer(0, possible.length - 1)];
          const at = own.at("moment").integer(1, TASKS - 20);
          await struckBy(kind, scene, at, calm, `fault ${number}: ${kind.name}, after ${at} tells`, count);
          count.struck();
          if (count.tries % 10 === 0) progress(`cluster faults: ${count.tries} of ${faults}`);
        }
      }
    };
    await Promise.all(Array.from({ length: SCENES }, lane));
    return count.toll();
  },
};

async function struckBy(
  { strike }: Fault,
  scene: Scene,
  at: number,
  calm: string,
  where: string,
  count: TollCount,
): Promise<void> {
  for (const ended of await strike(scene, at, longOutages)) {
    count.harm({ wrong: Number(ended.digest !== calm), ...lostAndTwice(ended) }, where);
  }
  const keys = await scene.keysLeft();
  count.harm({ keys: keys.length }, `${where}: ${keys.join(" ")}`);
  count.harm({ left: await scene.left() }, where);
}

/** Outcomes that a run did not tell or write down, and those it told or wrote more than once, or out of order. */
function lostAndTwice({ told, written }: Ended): { readonly lost: number; readonly repeated: number } {
  const different = new Set(told).size;
  const outOfOrder = Number(told.some((ask, place) => place > 0 && ask <= told[place - 1]));
  return {
    lost: Math.max(0, TASKS - different, TASKS - written),
    repeated: Math.max(outOfOrder, told.length - different, written - TASKS),
  };
}
