import { parallelMap } from "@coppice/engine/parallel-map";
import { type EachOfStage, nextTurn } from "./each-of-stage.ts";

/** For a process that answers many events: together they never run more hooks than the process may have out at once. */
export const eachBesideOthers: EachOfStage = async (members, limit, run) => {
  let turn = Promise.resolve();
  const results = await parallelMap(
    members,
    async (index) => {
      const mine = turn;
      turn = mine.then(nextTurn);
      await mine;
      await run(index);
    },
    { limit },
  );
  for (const result of results) if (result.status === "failed") throw result.error;
};
