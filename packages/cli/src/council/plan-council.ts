import { join } from "node:path";
import {
  type CouncilCandidate,
  type CouncilContext,
  type CouncilResult,
  CouncilSearch,
  type CouncilSetup,
  type CouncilValue,
  councilEvaluator,
  speculativeWaste,
} from "@coppice/agents/council";
import { type Consultation, type ConsultContext, gatewayFor } from "@coppice/agents/models";
import { JOURNAL_NAME, type PreparedRun } from "@coppice/engine";
import { writeAtomically } from "@coppice/engine/files";
import { plannedConsultation } from "../consult/planned-consultation.ts";
import { exitCode } from "../exit-code.ts";
import { type CouncilAccount, councilText } from "./council-text.ts";

/** What `run.json` keeps of a council. */
export interface CouncilRecord extends Omit<CouncilContext, "consult"> {
  readonly setup: CouncilSetup;
}

/** A council as a run, the same for a start, a resume and a verification. */
export function planCouncil(
  record: CouncilRecord,
  consult: ConsultContext,
): PreparedRun<CouncilCandidate, CouncilValue, CouncilResult> {
  const { setup, directory: project, questionMs } = record;
  const search = new CouncilSearch(setup);
  let stoppedCost = 0;
  const account = (directory: string): CouncilAccount => ({
    record: join(directory, RECORD),
    speculation: search.speculation,
    // An answer that was on its way when it was stopped may be billed: its price is estimated.
    speculativeWaste: { ...speculativeWaste(join(directory, JOURNAL_NAME)), stoppedCost },
  });
  // The council itself minds its budget, so that it ends with a verdict instead of in the middle.
  const { begun: _, ...planned } = plannedConsultation<CouncilCandidate, CouncilValue, CouncilResult>({
    tool: "council",
    record,
    search: Object.assign(search, { outstanding: () => new Map<number, string>() }),
    context: consult,
    models: modelsOf(setup),
    maxCost: undefined,
    describe: (result, directory) =>
      councilText(result, setup.speculate ? account(directory) : { record: join(directory, RECORD) }),
    document: (result, directory) => ({ ...result, ...account(directory) }),
    exitCode: ({ ended }) => (failures.has(ended) ? exitCode.failed : exitCode.done),
  });
  return {
    ...planned,
    evaluator: councilEvaluator,
    context: { consult, directory: project, questionMs } satisfies CouncilContext,
    begun: (run, directory) => {
      let kept = 0;
      run.subscribe((event) => {
        if (event.type !== "told" && event.type !== "finished") return;
        if (search.rounds.length === kept && event.type !== "finished") return;
        kept = search.rounds.length;
        writeAtomically(join(directory, RECORD), `${JSON.stringify(search.result(), null, 2)}\n`);
      });
    },
    over: async (directory) => {
      stoppedCost = gatewayFor(consult).spending().wasted;
      await planned.over?.(directory);
    },
  };
}

function modelsOf({ seats, library, models, arbiter }: CouncilSetup): string[] {
  const own = [...seats, ...library].flatMap(({ model }) => (model === undefined ? [] : [model]));
  return [...models, ...own, arbiter.model, ...(arbiter.fallback === undefined ? [] : [arbiter.fallback])];
}

/** Written again after every round. */
const RECORD = "council.json";

const failures: ReadonlySet<CouncilResult["ended"]> = new Set(["all-failed", "no-quorum", "unfinished"]);

/** What is asked first: the whole of round one. */
export function firstRequests(setup: CouncilSetup): Consultation[] {
  const search = new CouncilSearch(setup);
  const asked: Consultation[] = [];
  for (let next = search.ask(); next.kind === "candidate"; next = search.ask()) {
    if (next.candidate.kind === "model") asked.push(next.candidate);
  }
  return asked;
}
