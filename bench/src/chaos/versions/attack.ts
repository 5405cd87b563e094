import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type EvaluationCache, openCache, type RunDone, start, threads } from "@coppice/engine";
import { UsageError } from "@coppice/engine/usage-error";
import { type Attack, TollCount } from "../attack.ts";
import { MixingSearch } from "../subject/search.ts";
import { ledgerKeys } from "../subject/subject.ts";
import { ChangingProject, type Part, parts } from "./changing-project.ts";

const TASKS = 12;

interface Session {
  readonly directory?: string;
  readonly resume?: boolean;
  readonly acceptChanges?: boolean;
  readonly cache?: EvaluationCache;
  /** Interrupts the run when that many evaluations are completed. */
  readonly stopAfter?: number;
  readonly dieOnce?: string;
}

type Ended = RunDone<number> | Error;

/** One changed file under a cache, under a resume, or under a run that is going: no old value may count as new. */
class Changes {
  readonly #place: string;
  readonly #project: ChangingProject;
  readonly #count: TollCount;
  #runs = 0;

  constructor(place: string, count: TollCount) {
    this.#place = place;
    this.#project = new ChangingProject(join(place, "project"));
    this.#count = count;
  }

  /** A warm cache has no answers for code that changed, and all of them when it is put back. */
  async underCache(part: Part, number: number, name: string): Promise<void> {
    const cache = openCache(join(this.#place, `${name}.sqlite`));
    try {
      const before = await this.#digest({ cache });
      this.#project.set(part, number);
      const warm = await this.#digest({ cache });
      this.#check({ wrong: Number(warm !== (await this.#digest({}))) }, `${name}: answered from before the change`);
      this.#project.set(part, 1);
      const begun = this.#evaluations();
      this.#check({ wrong: Number((await this.#digest({ cache })) !== before) }, `${name}: put back, another answer`);
      this.#check({ repeated: this.#evaluations() - begun }, `${name}: put back`);
    } finally {
      cache.close();
    }
  }

  /** A resume is refused; with the change accepted it is marked, with the change taken back it is as if nothing had been. */
  async underResume(part: Part, number: number, stopAfter: number, accept: boolean, name: string): Promise<void> {
    const calm = await this.#digest({});
    const directory = join(this.#place, name);
    await this.#session({ directory, stopAfter });
    this.#project.set(part, number);
    const refused = await this.#session({ directory, resume: true });
    this.#check({ wrong: Number(!(refused instanceof UsageError)) }, `${name}: resumed with different code`);
    if (accept) {
      const mixed = await this.#session({ directory, resume: true, acceptChanges: true });
      const isMarked = !(mixed instanceof Error) && mixed.reproducible.from === "journal";
      this.#check({ wrong: Number(!isMarked) }, `${name}: accepted, and not marked`);
    }
    this.#project.set(part, 1);
    if (accept) return;
    const resumed = await this.#session({ directory, resume: true });
    const same = !(resumed instanceof Error) && resumed.digest === calm;
    this.#check({ wrong: Number(!same) }, `${name}: put back, and not the undisturbed answer`);
  }

  /** A worker that dies after a change is not replaced by one with different code. */
  async underRun(part: Part, number: number, name: string): Promise<void> {
    const dieOnce = join(this.#place, `${name}.die`);
    writeFileSync(dieOnce, "");
    let isOver = false;
    const ended = this.#session({ directory: join(this.#place, name), dieOnce }).finally(() => {
      isOver = true;
    });
    while (!isOver && readFileSync(dieOnce, "utf8") === "") await wait(5);
    if (isOver) throw new Error(`${name} ended before its worker could die: ${await ended}`);
    this.#project.set(part, number);
    writeFileSync(dieOnce, "now");
    const end = await ended;
    this.#check({ wrong: Number(!(end instanceof Error)) }, `${name}: went on with different code`);
    this.#project.set(part, 1);
  }

  #check(harm: Parameters<TollCount["harm"]>[0], line: string): void {
    this.#count.harm(harm, line);
  }

  async #digest(session: Session): Promise<string> {
    const end = await this.#session(session);
    if (end instanceof Error) throw end;
    return end.digest;
  }

  async #session({
    directory,
    resume = false,
    acceptChanges = false,
    cache,
    stopAfter,
    dieOnce = "",
  }: Session): Promise<Ended> {
    const place = directory ?? join(this.#place, `run-${this.#runs++}`);
    try {
      const run = await start({
        search: new MixingSearch(TASKS),
        evaluator: this.#project.evaluator,
        context: { ledger: join(this.#place, "ledger"), dieOnce },
        pool: threads({ workers: 1 }),
        seed: 7,
        lookahead: 4,
        ...(cache === undefined ? {} : { cache }),
        journal: { directory: place, resume, acceptChanges },
      });
      let completed = 0;
      let failure: string | undefined;
      run.subscribe((event) => {
        if (event.type === "completed" && ++completed === stopAfter) run.interrupt();
        if (event.type === "failed") failure ??= event.failure.message;
      });
      const done = await run.finished;
      // Values that are all the same failure would agree with anything.
      if (failure !== undefined) throw new Error(`the project is broken: ${failure}`);
      return done;
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  #evaluations(): number {
    return ledgerKeys(join(this.#place, "ledger")).length;
  }
}

export const versionChanges: Attack = {
  name: "version changes",
  summary: "a file that the evaluator loads changes under a cache, a resume, a run that is going",
  except: "what only running the code would tell: computed imports, files read at run time",
  share: 10,
  measures: ["repeated", "wrong"],
  strike: async ({ faults, draw, place }) => {
    const count = new TollCount();
    const changes = new Changes(place, count);
    for (let turn = 0; turn < faults; turn++) {
      const own = draw.at(`change/${turn}`);
      const part = parts[own.at("part").integer(0, parts.length - 1)];
      const number = own.at("number").integer(2, 1_000_000);
      const name = `change-${turn}-${part}`;
      if (turn % 3 === 0) await changes.underCache(part, number, `${name}-cache`);
      else if (turn % 3 === 1) {
        const stopAfter = own.at("stop").integer(1, TASKS - 4);
        await changes.underResume(part, number, stopAfter, own.at("accept").uniform() < 0.5, `${name}-resume`);
      } else await changes.underRun(part, number, `${name}-run`);
      count.struck();
    }
    return count.toll();
  },
};
