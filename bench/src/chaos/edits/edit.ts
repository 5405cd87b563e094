import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@coppice/engine";

/** A way to change the files of a run; `other` is a run of the same module with another seed. */
export interface Edit {
  readonly name: string;
  /** Runs that it makes sense for. */
  readonly of: "any" | "finished";
  readonly make: (directory: string, other: string, draw: Random) => void;
}

const text = (change: (text: string, draw: Random) => string, file: string): Edit["make"] => {
  return (directory, _, draw) => {
    const path = join(directory, file);
    writeFileSync(path, change(readFileSync(path, "utf8"), draw));
  };
};

const replaced =
  (pattern: RegExp, by: string) =>
  (content: string): string => {
    if (!pattern.test(content)) throw new Error(`there is no ${pattern} in ${content.slice(0, 200)}`);
    return content.replace(pattern, by);
  };

function flipped(file: string): Edit["make"] {
  return (directory, _, draw) => {
    const path = join(directory, file);
    const bytes = readFileSync(path);
    const place = draw.at("byte").integer(0, bytes.length - 1);
    bytes[place] ^= 1 << draw.at("bit").integer(0, 7);
    writeFileSync(path, bytes);
  };
}

function without(content: string, draw: Random): string {
  const lines = content.split("\n");
  lines.splice(draw.at("line").integer(0, lines.length - 2), 1);
  return lines.join("\n");
}

function shortened(content: string, draw: Random): string {
  return content.slice(0, draw.at("length").integer(0, content.length - 1));
}

export const edits: readonly Edit[] = [
  { name: "another run's journal", of: "any", make: copied("journal.ndjson") },
  { name: "another run's run.json", of: "any", make: copied("run.json") },
  { name: "another seed", of: "any", make: text(replaced(/"seed": \d+/, '"seed": 4711'), "run.json") },
  { name: "another option", of: "any", make: text(replaced(/"count": \d+/, '"count": 9'), "run.json") },
  { name: "a bit of run.json", of: "any", make: flipped("run.json") },
  { name: "a bit of the journal", of: "any", make: flipped("journal.ndjson") },
  { name: "a line of the journal gone", of: "any", make: text(without, "journal.ndjson") },
  { name: "the journal cut short", of: "any", make: text(shortened, "journal.ndjson") },
  { name: "another run's result", of: "finished", make: copied("result.json") },
  { name: "a better result", of: "finished", make: text(replaced(/"sum": \d+/, '"sum": 1'), "result.json") },
  { name: "a bit of the result", of: "finished", make: flipped("result.json") },
  { name: "the result cut short", of: "finished", make: text(shortened, "result.json") },
];

function copied(file: string): Edit["make"] {
  return (directory, other) => copyFileSync(join(other, file), join(directory, file));
}
