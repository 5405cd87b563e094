import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { JOURNAL_NAME } from "@coppice/engine/records";
import type { PreparedRun } from "@coppice/engine/session";
import { endConsultation, prepareConsultation, spentIn } from "../consult/prepare-consultation.ts";
import { ModelError } from "../models/consultation.ts";
import { gatewayFor } from "../models/gateway.ts";
import type { CouncilCandidate, CouncilValue } from "./candidate.ts";
import { type CouncilResult, RECORD, type RecordedCouncil } from "./council-result.ts";
import { CouncilSearch } from "./council-search.ts";
import type { CouncilSetup } from "./council-setup.ts";
import { type CouncilAccount, councilText } from "./council-text.ts";
import type { CouncilContext } from "./evaluator.ts";
import type { Ending } from "./round/council-round.ts";
import { speculativeWaste } from "./speculative-waste.ts";

/** What `run.json` keeps of a council. */
export interface CouncilRecord extends Omit<CouncilContext, "consult"> {
  readonly setup: CouncilSetup;
}

/** The module that answers a council; runs in the engine's `concurrent` pool. */
export const councilEvaluator = new URL("./evaluator.ts", import.meta.url);

const failures: ReadonlySet<Ending> = new Set<Ending>(["all-failed", "no-quorum", "unfinished"]);

/** A council as a run, the same for a start, a resume and a verification. */
export function prepareCouncil(
  record: CouncilRecord,
  context: CouncilContext,
): PreparedRun<CouncilCandidate, CouncilValue, CouncilResult> {
  const { setup } = record;
  const { consult } = context;
  const search = new CouncilSearch(setup);
  let stoppedCost = 0;
  const account = (directory: string): CouncilAccount => ({
    record: join(directory, RECORD),
    speculation: search.speculation,
    // An answer that was on its way when it was stopped may be billed: its price is estimated.
    speculativeWaste: { ...speculativeWaste(join(directory, JOURNAL_NAME)), stoppedCost },
  });
  const prepared = prepareConsultation<CouncilCandidate, CouncilValue, CouncilResult>({
    tool: "council",
    record: {},
    search,
    context: consult,
    models: modelsOf(setup),
    describe: (result, directory, charges) =>
      councilText(result, charges, setup.speculate ? account(directory) : { record: join(directory, RECORD) }),
    document: (result, directory) => ({ ...result, ...account(directory) }),
    succeeded: ({ ended }) => !failures.has(ended),
  });
  return {
    ...prepared,
    record: () => record,
    evaluator: councilEvaluator,
    context,
    // What does not fit into the budget is refused, so that the council ends with a verdict instead of in the middle.
    begun: (run, directory) => {
      const gateway = gatewayFor(consult);
      gateway.onWait = (line) => run.note(line);
      if (setup.maxCost !== undefined) {
        const spent = spentIn(directory, consult);
        gateway.budget.limit(setup.maxCost, spent, (why) => new ModelError("OverBudget", why));
      }
      let kept = 0;
      run.subscribe((event) => {
        if (event.type !== "told" && event.type !== "finished") return;
        if (search.rounds.length === kept && event.type !== "finished") return;
        kept = search.rounds.length;
        const { speculation } = search;
        const held: RecordedCouncil = { ...search.result(), ...(setup.speculate ? { speculation } : {}) };
        writeDurably(join(directory, RECORD), `${JSON.stringify(held, null, 2)}\n`);
      });
    },
    over: async (directory) => {
      stoppedCost = await endConsultation(consult, directory);
    },
  };
}

function modelsOf({ seats, library, models, arbiter }: CouncilSetup): string[] {
  const own = [...seats, ...library].flatMap(({ model }) => (model === undefined ? [] : [model]));
  return [...models, ...own, arbiter.model, ...(arbiter.fallback === undefined ? [] : [arbiter.fallback])];
}
