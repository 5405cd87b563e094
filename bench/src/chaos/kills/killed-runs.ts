import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@coppice/engine";
import { type Toll, TollCount } from "../attack.ts";
import type { Orders } from "../subject/coordinator.ts";
import { journaledKeys, ledgerKeys, leftRunning, startSession, undisturbed, usualOrders } from "../subject/subject.ts";

/** How one session of a run is killed, and how it works until then. */
export interface KillPlan extends Pick<Orders, "pool" | "workers" | "kills"> {
  /** Kills the coordinator from outside when this time has passed; a session may be faster. */
  readonly afterMs?: number;
  /** Under which name the kill is counted. */
  readonly kind: string;
}

export interface KilledRuns {
  /** Coordinators to kill, at least. */
  readonly kills: number;
  readonly tasks: number;
  readonly draw: Random;
  /** An empty folder. */
  readonly place: string;
  /** `calmMs` is what a session takes that nobody kills; `turn` counts sessions of all runs. */
  readonly plan: (turn: number, draw: Random, calmMs: number) => KillPlan;
}

export interface KilledReport {
  readonly toll: Toll;
  readonly runs: number;
  /** Coordinators killed, by kind. */
  readonly struck: Readonly<Record<string, number>>;
  readonly workerKills: number;
  /** Evaluations started in all, against how many are needed. */
  readonly evaluations: number;
  readonly needed: number;
}

/** Kills coordinators (and, between, workers) and resumes until every run is done. */
export async function killedRuns({ kills, tasks, draw, place, plan }: KilledRuns): Promise<KilledReport> {
  const calmStart = performance.now();
  const calm = await undisturbed({ ...usualOrders(join(place, "calm"), tasks), pool: "inline" });
  const calmMs = performance.now() - calmStart;
  const count = new TollCount();
  const struck: Record<string, number> = {};
  const totals = { workerKills: 0, evaluations: 0, needed: 0 };
  let killed = 0;
  let turn = 0;
  let runs = 0;
  for (; killed < kills; runs++) {
    const base = usualOrders(join(place, `run-${runs}`), tasks);
    let digest: string | undefined;
    for (let number = 0; digest === undefined; number++) {
      const { kind, afterMs, ...session } = plan(turn++, draw.at(`run/${runs}`).at(`session/${number}`), calmMs);
      const journaled = journaledKeys(base.directory);
      const begun = ledgerKeys(base.ledger).length;
      const resume = existsSync(join(base.directory, "run.json"));
      const { child, ended } = startSession({ ...base, ...session, resume });
      const timer = afterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), afterMs);
      const end = await ended;
      clearTimeout(timer);
      const where = `run ${runs}, session ${number}, ${kind}`;
      const again = ledgerKeys(base.ledger)
        .slice(begun)
        .filter((key) => journaled.has(key)).length;
      const lost = journaled.difference(journaledKeys(base.directory)).size;
      count.harm({ repeated: again, lost }, where);
      totals.workerKills += session.kills.filter(({ victim }) => victim === "worker").length;
      if (end.how === "killed") {
        killed++;
        struck[kind] = (struck[kind] ?? 0) + 1;
      } else if (end.how === "done") {
        digest = end.digest;
        count.harm({ wrong: digest === calm ? 0 : 1 }, where);
      } else {
        count.harm({ lost: 1 }, `${where}: ${end.errors}`);
        break;
      }
    }
    count.harm({ left: await leftRunning(base.directory) }, `run ${runs}`);
    totals.evaluations += ledgerKeys(base.ledger).length;
    totals.needed += journaledKeys(base.directory).size;
  }
  count.struck(killed + totals.workerKills);
  return { ...totals, toll: count.toll(), runs, struck };
}
