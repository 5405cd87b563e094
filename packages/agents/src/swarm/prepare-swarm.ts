import { type BatchRecord, enough, type PreparedBatch, prepareConsultation } from "../consult/prepare-consultation.ts";
import type { ConsultContext } from "../models/gateway.ts";
import type { Swarm, SwarmResult } from "./swarm.ts";
import { SwarmSearch } from "./swarm-search.ts";
import { swarmText } from "./swarm-text.ts";

/** What `run.json` keeps of a swarm. */
export interface SwarmRecord extends BatchRecord {
  /** Its name in `run.json` since the first swarms. */
  readonly plan: Swarm;
}

/** Asks that may be unanswered: enough for any concurrency, few enough to hold in memory. */
const LOOKAHEAD = 256;

/** A swarm as a run, the same for a start, a resume and a verification. */
export function prepareSwarm(record: SwarmRecord, context: ConsultContext): PreparedBatch<SwarmResult> {
  const { plan: swarm, minSuccess } = record;
  return prepareConsultation({
    tool: "swarm",
    record,
    lookahead: LOOKAHEAD,
    search: new SwarmSearch(swarm),
    context,
    models: swarm.tasks.map(({ request }) => request.model),
    describe: (result, _directory, charges) => swarmText(result, charges),
    document: (result) => ({ ...result }),
    succeeded: ({ summary }) => enough(summary, minSuccess),
  });
}
