// Light: what the pool is made of is loaded when one is made.
import { registerPool } from "@coppice/engine/pools";

registerPool({
  kind: "cluster",
  description: "workers on any machines, met in a Redis (COPPICE_REDIS, or --redis)",
  endsChildren: true,
  make: async (options) => {
    const { checkPlace, cluster, clusterPlace, placesForWork } = await import("./index.ts");
    const place = clusterPlace();
    await checkPlace(place);
    return cluster(options, place, await placesForWork(place));
  },
});
