import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Random, random } from "@coppice/engine";
import { readHistory } from "@coppice/engine/records";
import type { Orders } from "./coordinator.ts";
import type { Kill, Moment } from "./kill-at-write.ts";

export interface ChaosOptions {
  /** Coordinators to kill, at least. */
  readonly kills: number;
  readonly seed: number;
  readonly tasks: number;
}

/** What happened to a number of runs that were killed over and over until they were done. */
export interface ChaosReport {
  readonly runs: number;
  readonly coordinatorKills: Readonly<Record<Moment, number>>;
  readonly workerKills: number;
  /** Journaled evaluations that a later session ran again; must be 0. */
  readonly repeated: number;
  /** Runs whose digest is not that of the undisturbed run; must be 0. */
  readonly wrongDigests: number;
  /** Evaluations started in all, against how many are needed. */
  readonly evaluations: number;
  readonly needed: number;
}

const coordinator = fileURLToPath(new URL("./coordinator.ts", import.meta.url));
const pools = ["threads", "processes", "inline"] as const;
const moments = ["before", "between", "after"] as const;

/** Kills coordinators (and, between, workers) at random journal writes and resumes until every run is done. */
export async function chaos({ kills, seed, tasks }: ChaosOptions): Promise<ChaosReport> {
  const root = mkdtempSync(join(tmpdir(), "coppice-chaos-"));
  try {
    const calm = await session({ ...orders(join(root, "calm"), tasks), pool: "inline", kills: [] });
    const totals = {
      runs: 0,
      before: 0,
      between: 0,
      after: 0,
      workerKills: 0,
      repeated: 0,
      wrongDigests: 0,
      evaluations: 0,
      needed: 0,
    };
    let sessions = 0;
    for (let run = 0; totals.before + totals.between + totals.after < kills; run++) {
      const draw = random(seed).at(`run/${run}`);
      const base = orders(join(root, `run-${run}`), tasks);
      let digest = "";
      for (let number = 0; digest === ""; number++) {
        const journaled = journaledKeys(base.directory);
        const ledgerBefore = ledgerKeys(base.ledger).length;
        const plan = sessionKills(sessions++, draw.at(`session/${number}`));
        const ended = await session({ ...base, ...plan, resume: existsSync(join(base.directory, "journal.ndjson")) });
        const evaluated = ledgerKeys(base.ledger).slice(ledgerBefore);
        totals.repeated += evaluated.filter((key) => journaled.has(key)).length;
        totals.workerKills += plan.kills.filter(({ victim }) => victim === "worker").length;
        if (ended.killed) totals[plan.moment]++;
        else digest = ended.digest;
      }
      totals.runs++;
      totals.evaluations += ledgerKeys(base.ledger).length;
      totals.needed += journaledKeys(base.directory).size;
      if (digest !== calm.digest) totals.wrongDigests++;
    }
    const { before, between, after, ...rest } = totals;
    return { ...rest, coordinatorKills: { before, between, after } };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function orders(directory: string, tasks: number): Orders {
  return { directory, ledger: `${directory}.ledger`, resume: false, tasks, pool: "threads", workers: 2, kills: [] };
}

/** One coordinator kill at a random write, and sometimes a worker before it. Pools and moments take turns: nine sessions have all pairs. */
function sessionKills(
  turn: number,
  draw: Random,
): {
  readonly pool: Orders["pool"];
  readonly workers: number;
  readonly kills: Kill[];
  readonly moment: Moment;
} {
  const pool = pools[(turn + Math.floor(turn / moments.length)) % pools.length];
  const moment = moments[turn % moments.length];
  const write = draw.at("write").integer(1, 60);
  const kills: Kill[] = [{ write, moment, victim: "coordinator" }];
  if (pool === "processes" && write > 4)
    kills.push({ write: draw.at("worker").integer(2, write - 1), moment: "after", victim: "worker" });
  return { pool, workers: draw.at("workers").integer(1, 4), kills, moment };
}

interface SessionEnd {
  readonly killed: boolean;
  readonly digest: string;
}

function session(orders: Orders): Promise<SessionEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [coordinator, JSON.stringify(orders)], { stdio: ["ignore", "pipe", "pipe"] });
    let digest = "";
    let errors = "";
    child.stdout.on("data", (data) => {
      digest += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (signal === "SIGKILL") resolve({ killed: true, digest: "" });
      else if (code === 0) resolve({ killed: false, digest });
      else reject(new Error(`a coordinator ended with code ${code}: ${errors.slice(0, 2000)}`));
    });
  });
}

/** Reading it is also the check that the journal is valid: damage throws. */
function journaledKeys(directory: string): Set<string> {
  const path = join(directory, "journal.ndjson");
  if (!existsSync(path)) return new Set();
  const history = readHistory(path);
  return new Set([...history.successes.keys(), ...history.failures.keys()]);
}

function ledgerKeys(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
