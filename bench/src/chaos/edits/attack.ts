import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readResultFile } from "@coppice/engine/records";
import { type Attack, TollCount } from "../attack.ts";
import { typed } from "../subject/command.ts";
import { edits } from "./edit.ts";

const SQUARES = fileURLToPath(new URL("../test/modules/squares.ts", import.meta.resolve("coppice")));
/** Longer than anything here takes: a resume that is still at it goes on for ever. */
const ENDLESS_MS = 120_000;

interface Answer {
  readonly digest: string;
  readonly result: unknown;
}

/** Runs that edits are tried on: a finished one, one that stopped half way, and others of the same module to take files from. */
async function makeRuns(place: string): Promise<Answer> {
  const closed = join(place, "closed");
  const failing = ["--option", "failAt=7", "--option", `failWhile=${closed}`, "--on-failure", "stop"];
  const run = (...args: string[]) => typed(place, ["run", SQUARES, "--workers", "1", "--json", ...failing, ...args]);
  const finished = await run("--id", "finished");
  await run("--id", "other-finished", "--seed", "5");
  writeFileSync(closed, "");
  await run("--id", "half");
  await run("--id", "other-half", "--seed", "5");
  rmSync(closed);
  if (finished.code !== 0) throw new Error(finished.stderr);
  return answerIn(finished.stdout);
}

function answerIn(stdout: string): Answer {
  const { digest, result } = JSON.parse(stdout) as Answer;
  return { digest, result };
}

export const editedFiles: Attack = {
  name: "edited files",
  summary: "files of a run are swapped, edited, shortened or lose a bit; verify and resume must find it or not need it",
  except: "whoever may write to a run's directory and makes every checksum again can make it say anything",
  share: 11,
  measures: ["wrong"],
  strike: async ({ faults, draw, place }) => {
    const count = new TollCount();
    const truth = await makeRuns(place);
    const runs = join(place, ".coppice", "runs");
    const same = (answer: Answer) => JSON.stringify(answer) === JSON.stringify(truth);
    for (let turn = 0; turn < faults; turn++) {
      const own = draw.at(`edit/${turn}`);
      const { name, of, make } = edits[turn % edits.length];
      const kind = of === "finished" || own.at("kind").uniform() < 0.5 ? "finished" : "half";
      const directory = join(runs, "edited");
      rmSync(directory, { recursive: true, force: true });
      cpSync(join(runs, kind), directory, { recursive: true });
      make(directory, join(runs, `other-${kind}`), own);
      const where = `${name}, ${kind} run, turn ${turn}`;
      const verified = await inTime(typed(place, ["verify", "edited", "--all", "--workers", "1"]));
      if (verified?.code === 0 && kind === "finished") {
        const kept = keptAnswer(directory);
        count.harm({ wrong: Number(kept !== undefined && !same(kept)) }, `${where}: verify agrees`);
      }
      const resumed = await inTime(typed(place, ["resume", "edited", "--json", "--quiet", "--workers", "1"]));
      if (resumed === undefined || verified === undefined) count.harm({ wrong: 1 }, `${where}: does not end`);
      else if (resumed.code === 0)
        count.harm({ wrong: Number(!same(answerIn(resumed.stdout))) }, `${where}: resume agrees`);
      else if (resumed.stderr.includes("\n    at ")) count.harm({ wrong: 1 }, `${where}: ${resumed.stderr}`);
      count.struck();
    }
    return count.toll();
  },
};

/** The answer that readers find in a run's directory; none where they are told that it is damaged. */
function keptAnswer(directory: string): Answer | undefined {
  try {
    const kept = readResultFile(directory);
    return kept && { digest: kept.digest, result: kept.result };
  } catch {
    return undefined;
  }
}

function inTime<Value>(promised: Promise<Value>): Promise<Value | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Value | undefined>();
  const timer = setTimeout(() => resolve(undefined), ENDLESS_MS);
  promised.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
