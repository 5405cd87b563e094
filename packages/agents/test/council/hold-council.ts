import { inline, type PoolFactory, start } from "@coppice/engine";
import type { CouncilCandidate, CouncilValue } from "../../src/council/candidate.ts";
import type { CouncilResult, Speculation } from "../../src/council/council-result.ts";
import { CouncilSearch } from "../../src/council/council-search.ts";
import type { CouncilSetup } from "../../src/council/council-setup.ts";
import type { Script } from "./scripted-evaluator.ts";

export const reply = (verdict: string, confidence = 80, conviction = 80, more = ""): string =>
  `VERDICT: ${verdict}\nCONFIDENCE: ${confidence}\nCONVICTION: ${conviction}\nREASONING: because of ${verdict}\n${more}`;

export function setupOf(names: readonly string[], more: Partial<CouncilSetup> = {}): CouncilSetup {
  return {
    proposal: "Do it",
    seats: names.map((name) => ({ name, prompt: `You are ${name}.` })),
    library: [...names, "security", "ux"].map((name) => ({ name, prompt: `You are ${name}.` })),
    models: ["m1", "m2"],
    tuning: {},
    arbiter: { prompt: "You are the arbiter.", model: "m0", fallback: "m9" },
    maxRounds: { value: 3, from: "flag" },
    threshold: { value: 0.7, from: "flag" },
    abstain: "counts",
    quorum: 0.5,
    maxSize: 6,
    answers: {},
    lookUp: { code: false, person: false },
    speculate: false,
    seed: 1,
    ...more,
  };
}

export interface Held {
  readonly result: CouncilResult;
  readonly digest: string;
  readonly speculation: Speculation;
  /** Every candidate that was proposed, in order. */
  readonly asked: readonly CouncilCandidate[];
}

/** Holds a council on the engine, answered by a script. */
export async function hold(
  setup: CouncilSetup,
  script: Script,
  { pool = inline(), lookahead = 1024 }: { readonly pool?: PoolFactory; readonly lookahead?: number } = {},
): Promise<Held> {
  const search = new CouncilSearch(setup);
  const asked: CouncilCandidate[] = [];
  const run = await start<CouncilCandidate, CouncilValue, CouncilResult>({
    search: {
      ask: () => {
        const proposal = search.ask();
        if (proposal.kind === "candidate") asked.push(proposal.candidate);
        return proposal;
      },
      tell: (outcome, ask) => search.tell(outcome, ask),
      result: () => search.result(),
    },
    evaluator: new URL("./scripted-evaluator.ts", import.meta.url),
    context: script,
    pool,
    lookahead,
  });
  const { result, digest } = await run.finished;
  return { result, digest, speculation: search.speculation, asked };
}
