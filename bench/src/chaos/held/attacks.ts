import { spawnSync } from "node:child_process";
import {
  type AttackedRun,
  type Harm,
  loseReader,
  type NotHere,
  stealFromLiveOwner,
  stealFromStoppedOwner,
} from "@coppice/engine/attacks";
import { type Attack, type Toll, TollCount } from "../attack.ts";
import { HeldRuns } from "./held-run.ts";

type Assault = readonly [name: string, (run: AttackedRun) => Promise<Harm | NotHere>];

/** Makes assaults in turn; one that finds what it must not find throws, which counts as wrong. */
async function inTurn(assaults: readonly Assault[], faults: number, next: () => Promise<AttackedRun>): Promise<Toll> {
  const count = new TollCount();
  for (let turn = 0; turn < faults; turn++) {
    const [name, assault] = assaults[turn % assaults.length];
    try {
      const harm = await assault(await next());
      if ("skipped" in harm) continue;
      const { leftRunning: left, ...rest } = harm;
      count.harm({ ...rest, left }, `${name}, turn ${turn}`);
    } catch (error) {
      count.harm({ wrong: 1 }, `${name}, turn ${turn}: ${error instanceof Error ? error.message : error}`);
    }
    count.struck();
  }
  return count.toll();
}

export const stolenLocks: Attack = {
  name: "stolen locks",
  summary: "somebody in another process namespace resumes a run that is going, or one whose owner is stopped",
  share: 5,
  impossible: () => {
    const { status } = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"], { stdio: "ignore" });
    return status === 0 ? undefined : "process namespaces cannot be made here";
  },
  strike: ({ faults, draw, place }) => {
    const runs = new HeldRuns(place, draw);
    return inTurn(
      [
        ["the owner lives in a namespace", (run) => stealFromLiveOwner(run, "inside")],
        ["the thief lives in a namespace", (run) => stealFromLiveOwner(run, "outside")],
        ["the owner was stopped", stealFromStoppedOwner],
      ],
      faults,
      () => runs.program(),
    );
  },
};

export const leavingReaders: Attack = {
  name: "readers that leave",
  summary: "whoever reads what a run prints goes away: head -1, /dev/full, a closed terminal, with and without nohup",
  share: 6,
  strike: ({ faults, draw, place }) => {
    const runs = new HeldRuns(place, draw);
    const readers = ["pipe", "full disk", "terminal", "terminal of nohup"] as const;
    const assaults = readers.map((reader): Assault => [reader, (run) => loseReader(run, reader)]);
    return inTurn(assaults, faults, () => runs.command());
  },
};
