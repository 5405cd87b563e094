import { faults as kinds, noRedis, Scene } from "@coppice/cluster/faults";
import { type Attack, TollCount } from "../attack.ts";

const TASKS = 80;
/** A scene is used for so many faults, then made anew. */
const PER_SCENE = 12;

export const clusterFaults: Attack = {
  name: "cluster faults",
  summary: "workers, coordinators, Redis and the wires between them are killed, paused, emptied and cut",
  share: 2,
  measures: ["lost", "wrong", "left"],
  impossible: () => noRedis,
  strike: async ({ faults, draw }) => {
    const count = new TollCount();
    while (count.tries < faults) {
      await using scene = await Scene.begin();
      const calm = await scene.reference();
      for (let i = 0; i < PER_SCENE && count.tries < faults; i++) {
        const own = draw.at(`fault/${count.tries}`);
        const { name, strike } = kinds[own.at("kind").integer(0, kinds.length - 1)];
        const at = own.at("moment").integer(1, TASKS - 20);
        const where = `fault ${count.tries}: ${name}, after ${at} tells`;
        for (const { digest, told } of await strike(scene, at)) {
          const inOrder = told.length === TASKS && told.every((ask, place) => ask === place);
          count.harm({ wrong: Number(digest !== calm), lost: Number(!inOrder) }, where);
        }
        const keys = await scene.keysLeft();
        count.harm({ left: keys.length + (await scene.left()) }, `${where}: ${keys.join(" ")}`);
        count.struck();
      }
    }
    return count.toll();
  },
};
