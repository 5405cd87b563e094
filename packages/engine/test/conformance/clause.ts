import { it, type TestContext } from "node:test";
import type { MakeFactory } from "./trial.ts";

/** What a pool may by its nature be unable to do. */
export type Clause =
  | "runs several tasks at once"
  | "puts small tasks together"
  | "stops a busy loop"
  | "survives the end of a worker"
  | "survives SIGKILL of a worker"
  | "has a memory limit per worker"
  | "ends the programs a stopped task started"
  | "ends the programs its tasks started when its own process is killed"
  | "catches what a task prints"
  | "shares arrays without a copy";

/** Clauses a pool cannot keep, each with the reason; their tests are printed as skipped. */
export type Exemptions = Partial<Readonly<Record<Clause, string>>>;

/** The pool under examination, as every part of the suite gets it. */
export interface Subject {
  readonly makeFactory: MakeFactory;
  /** For programs that open the same pool elsewhere: the module and the name of its factory. */
  readonly module: URL;
  readonly factoryName: string;
  readonly exemptions: Exemptions;
}

/** A test that needs the clauses; skipped, with the pool's reason, when one of them is exempt. */
export function itNeeds(
  { exemptions }: Subject,
  clauses: readonly Clause[],
  claim: string,
  test: (context: TestContext) => Promise<void>,
): void {
  const exempt = clauses.find((clause) => exemptions[clause] !== undefined);
  if (exempt === undefined) it(claim, test);
  else it(claim, { skip: `exempt: ${exemptions[exempt]}` }, test);
}
