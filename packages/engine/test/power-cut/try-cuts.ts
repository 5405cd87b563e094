import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJournal } from "../../src/journal/reader.ts";
import { ForgetfulDisk, type Remains, type Survival } from "./disk.ts";
import { restore, type WriteRecording } from "./power-cut.ts";

/** How a run is gone on with after the power came back. */
export interface AfterTheCut {
  /** The run's directory, below the recording's root. */
  readonly directory: string;
  /** The digest of the run when nothing happens to it. */
  readonly digest: string;
  /** Resumes the run; the digest it ended with, or the words in which it was refused. */
  resume(): Promise<Ended>;
  /** Gives the command again that began the run. */
  startAgain(): Promise<Ended>;
}

export type Ended = { readonly digest: string } | { readonly refused: string };

export interface CutReport {
  /** Different states the disk was left in; many moments leave the same. */
  readonly cuts: number;
  readonly resumed: number;
  /** Cuts before the first task, after which the same command began the run. */
  readonly begunAgain: number;
  /** What was lost, wrong or done twice, in a line each; must be empty. */
  readonly problems: readonly string[];
}

/** How many states to try: at most `most`, spread evenly, each moment with the usual ones and `chances` by chance. */
export interface CutChoice {
  readonly chances: number;
  readonly most: number;
  /** The file system keeps names in order, and with every sync. */
  readonly journaledNames?: boolean;
  /** A whole number from 0 below `count`; the same for the same name. */
  draw(name: string, count: number): number;
}

/** Cuts the power after operations of a recording, goes on with the run each time, and says what it cost. */
export async function tryCuts(recording: WriteRecording, after: AfterTheCut, choice: CutChoice): Promise<CutReport> {
  const states = [...statesOf(recording, after.directory, choice)];
  const step = Math.max(1, states.length / choice.most);
  const problems: string[] = [];
  let cuts = 0;
  let resumed = 0;
  let begunAgain = 0;
  for (let next = 0; next < states.length; next += step) {
    const { name, remains, hadBegun } = states[Math.floor(next)];
    cuts++;
    restore(recording.root, remains);
    const ended = await after.resume();
    const again = "refused" in ended && !hadBegun ? await after.startAgain() : ended;
    if ("refused" in again) problems.push(`${name}: ${again.refused}`);
    else if (again.digest !== after.digest) problems.push(`${name}: another digest`);
    else if (again === ended) resumed++;
    else begunAgain++;
    const twice = evaluatedTwice(after.directory);
    if (twice !== undefined) problems.push(`${name}: ${twice} was evaluated again`);
  }
  return { cuts, resumed, begunAgain, problems };
}

interface State {
  readonly name: string;
  readonly remains: Remains;
  /** Whether a task had been handed out by then. */
  readonly hadBegun: boolean;
}

/** Every different state a power cut can leave of the usual kinds, and some by chance. */
function* statesOf(
  { root, before, operations }: WriteRecording,
  directory: string,
  choice: CutChoice,
): Generator<State> {
  const disk = new ForgetfulDisk(root, before, choice.journaledNames);
  const seen = new Set<string>();
  for (let count = 0; count <= operations.length; count++) {
    if (count > 0) disk.apply(operations[count - 1]);
    const hadBegun = disk.read(join(directory, "journal.ndjson"))?.includes('"type":"started"') === true;
    const usual: readonly Survival[] = ["none", "all", "names", "contents"];
    const byChance = Array.from({ length: choice.chances }, (_, chance) => {
      let drawn = 0;
      return (sides: number) => choice.draw(`cut/${count}/${chance}/${drawn++}`, sides);
    });
    for (const survival of [...usual, ...byChance]) {
      const remains = disk.after(survival);
      const fingerprint = fingerprintOf(remains, hadBegun);
      if (seen.has(fingerprint)) continue;
      seen.add(fingerprint);
      const kept = typeof survival === "string" ? survival : "some";
      yield { name: `after operation ${count} (${kept} of what was not synced kept)`, remains, hadBegun };
    }
  }
}

function fingerprintOf(remains: Remains, hadBegun: boolean): string {
  const parts = [...remains].map(([path, what]) => {
    const content = Buffer.isBuffer(what) ? hash("sha256", what) : JSON.stringify(what);
    return `${path}\n${content}`;
  });
  return hash("sha256", `${hadBegun}\n${parts.sort().join("\n")}`);
}

function evaluatedTwice(directory: string): string | undefined {
  const path = join(directory, "journal.ndjson");
  if (!existsSync(path)) return undefined;
  const completed = new Set<string>();
  let twice: string | undefined;
  readJournal(path, (entry) => {
    if (entry.type !== "completed") return;
    if (completed.has(entry.key)) twice ??= entry.key;
    completed.add(entry.key);
  });
  return twice;
}
