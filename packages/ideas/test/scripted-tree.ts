import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type ResumeWishes, resumedTree } from "../src/run/recorded-tree.ts";
import { TreeJournal } from "../src/run/tree-journal.ts";
import type { TreeSettings } from "../src/settings.ts";
import { type GrownTree, type GrowOptions, grow, growOn, temporaryFolder } from "./dry-tree.ts";
import type { TreeScript } from "./tree-evaluator.ts";

const evaluator = new URL("./tree-evaluator.ts", import.meta.url);

/** A tree whose evaluations do what a test says. */
export class ScriptedTree {
  readonly #folder: string;
  readonly runRoot: string;

  constructor(t: TestContext, script: TreeScript = {}) {
    this.#folder = temporaryFolder(t);
    this.runRoot = join(this.#folder, "dry");
    this.say(script);
    writeFileSync(join(this.#folder, "calls.log"), "");
  }

  say(script: TreeScript): void {
    writeFileSync(join(this.#folder, "script.json"), JSON.stringify(script));
  }

  start(settings: TreeSettings, onRun: GrowOptions["onRun"] = () => {}): Promise<GrownTree> {
    return grow(this.runRoot, settings, { evaluator, onRun });
  }

  async resume(wishes: ResumeWishes = {}): Promise<GrownTree> {
    return growOn(resumedTree(this.runRoot, { at: 0, ...wishes }), { evaluator });
  }

  journal(): TreeJournal {
    const journal = new TreeJournal(this.runRoot);
    journal.follow();
    return journal;
  }

  /** Begins (`+key`) and ends (`-key`) of evaluations, in the order they happened. */
  calls(): string[] {
    return readFileSync(join(this.#folder, "calls.log"), "utf8").split("\n").filter(Boolean);
  }

  /** How often a key was begun. */
  count(key: string): number {
    return this.calls().filter((line) => line === `+${key}`).length;
  }
}

/** The most evaluations that were under way at once, of those a test counts. */
export function mostAtOnce(calls: readonly string[], counts: (key: string) => boolean): number {
  let most = 0;
  let now = 0;
  for (const line of calls) {
    if (!counts(line.slice(1))) continue;
    now += line.startsWith("+") ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}
