/** Runs every member of a stage, started in list order, never more than `limit` at once. */
export type EachOfStage = (
  members: readonly number[],
  limit: number,
  run: (index: number) => Promise<void>,
) => Promise<void>;

/** So many are started before the rest is seen to: what a stage waits for is the end of the one started last. */
const AT_A_TIME = 25;

/** For a process that answers one event: loading the engine's parallel map would take longer than most hooks. */
export const eachAlone: EachOfStage = async (members, limit, run) => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < members.length) await run(members[next++]);
  };
  const workers: Promise<void>[] = [];
  for (let i = 0; i < Math.min(limit, members.length); i++) {
    const started = worker();
    // Heard below; until then a failure must not count as one that nobody hears.
    started.catch(() => {});
    workers.push(started);
    if (i % AT_A_TIME === AT_A_TIME - 1) await nextTurn();
  }
  await Promise.all(workers);
};

/** For a process that answers many events: together they never run more hooks than the process may have out at once. */
export const eachBesideOthers: EachOfStage = async (members, limit, run) => {
  const { parallelMap } = await import("@coppice/engine/parallel-map");
  let turn = Promise.resolve();
  const inTurn = async (index: number): Promise<void> => {
    const mine = turn;
    turn = mine.then(nextTurn);
    await mine;
    await run(index);
  };
  for (const result of await parallelMap(members, inTurn, { limit })) {
    if (result.status === "failed") throw result.error;
  }
};

/** Starting a process blocks; whatever ended meanwhile is seen to before the next one is started. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
