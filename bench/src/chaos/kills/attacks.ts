import type { Random } from "@coppice/engine";
import type { Attack } from "../attack.ts";
import type { Kill } from "./kill-at-write.ts";
import { type KillPlan, killedRuns } from "./killed-runs.ts";

const TASKS = 200;
const pools = ["threads", "processes", "inline"] as const;
const moments = ["before", "between", "after"] as const;

/** One coordinator kill at a random write, and sometimes a worker before it. Pools and moments take turns: nine sessions have all pairs. */
export function killAtWrite(turn: number, draw: Random): KillPlan {
  const pool = pools[(turn + Math.floor(turn / moments.length)) % pools.length];
  const moment = moments[turn % moments.length];
  const write = draw.at("write").integer(1, 60);
  const kills: Kill[] = [{ write, moment, victim: "coordinator" }];
  if (pool === "processes" && write > 4)
    kills.push({ write: draw.at("worker").integer(2, write - 1), moment: "after", victim: "worker" });
  return { pool, workers: draw.at("workers").integer(1, 4), kills, kind: moment };
}

/** At any time from the process's start to a little after its end. */
function killAnyTime(turn: number, draw: Random, calmMs: number): KillPlan {
  const afterMs = draw.at("time").uniform() * 1.2 * calmMs;
  return { pool: pools[turn % pools.length], workers: 2, kills: [], afterMs, kind: "any time" };
}

export const killsAtWrites: Attack = {
  name: "kills at writes",
  summary: "kill -9 before, within and after a write to the journal; worker processes too",
  share: 24,
  strike: async ({ faults, draw, place }) =>
    (await killedRuns({ kills: faults, tasks: TASKS, draw, place, plan: killAtWrite })).toll,
};

export const killsAnyTime: Attack = {
  name: "kills at any time",
  summary: "kill -9 of the coordinator at a random moment of its life",
  share: 22,
  strike: async ({ faults, draw, place }) =>
    (await killedRuns({ kills: faults, tasks: TASKS, draw, place, plan: killAnyTime })).toll,
};
