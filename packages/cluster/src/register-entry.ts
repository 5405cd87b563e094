// Light: what the pool is made of is loaded when one is made.
import { registerPool } from "@coppice/engine/pools";
import { clusterVariable, withoutPassword } from "./place/redis-address.ts";

registerPool({
  kind: "cluster",
  description: "workers on any machines, met in a Redis",
  endsChildren: true,
  settings: [
    {
      flags: "--redis <url>",
      description: `Redis of the pool "cluster": redis://host:6379; with a password only in ${clusterVariable.redis}`,
      variable: clusterVariable.redis,
      check: withoutPassword,
    },
  ],
  make: async (options) => {
    const { checkPlace, cluster, clusterPlace, placesForWork } = await import("./index.ts");
    const place = clusterPlace();
    await checkPlace(place);
    return cluster(options, place, await placesForWork(place));
  },
});
