import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { concurrent, type RunDone, start } from "@coppice/engine";
import { JOURNAL_NAME } from "@coppice/engine/records";
import type { CouncilCandidate, CouncilValue } from "../../src/council/candidate.ts";
import type { CouncilResult } from "../../src/council/council-result.ts";
import { CouncilSearch } from "../../src/council/council-search.ts";
import type { CouncilSetup } from "../../src/council/council-setup.ts";
import { councilEvaluator } from "../../src/council/prepare-council.ts";
import { type SpeculativeWaste, speculativeWaste } from "../../src/council/speculative-waste.ts";
import { closeGateway } from "../../src/models/gateway.ts";
import { parseModels } from "../../src/models/models-file.ts";
import type { AnswerBehaviour, Behaviour } from "../../src/practice-server/behaviour.ts";
import { PracticeServer } from "../../src/practice-server/practice-server.ts";
import { instructions, question, type ReceivedCall } from "../../src/practice-server/received-call.ts";

/** Who is asked, and in which round, as a label: `round 2: judge`. */
export function labelOf(call: Pick<ReceivedCall, "body">): string {
  const [, name = "arbiter"] = /You are (\w+)\./.exec(instructions(call)) ?? [];
  const [, round = "?"] = /[Rr]ound (\d+)/.exec(question(call)) ?? [];
  return `round ${round}: ${name}`;
}

export interface HeldOverHttp extends RunDone<CouncilResult> {
  readonly server: PracticeServer;
  readonly search: CouncilSearch;
  readonly waste: SpeculativeWaste;
}

/** Holds a council over real HTTP; `respond` is told who is asked, and when. */
export async function holdOverHttp(
  setup: CouncilSetup,
  respond: (label: string, call: ReceivedCall) => Behaviour | string | Promise<Behaviour>,
): Promise<HeldOverHttp> {
  await using server = await PracticeServer.start({
    respond: async (call) => {
      const said = await respond(labelOf(call), call);
      return typeof said === "string"
        ? ({ kind: "answer", content: said } satisfies AnswerBehaviour & Behaviour)
        : said;
    },
  });
  const place = mkdtempSync(join(tmpdir(), "coppice-council-"));
  const consult = {
    models: parseModels(
      JSON.stringify({
        providers: { local: { baseUrl: server.url } },
        models: Object.fromEntries(
          ["m0", "m1", "m2", "m9"].map((model) => [
            model,
            { provider: "local", model, price: { input: 1, output: 2 } },
          ]),
        ),
      }),
      "the test",
    ),
    place: "the test",
    timeoutMs: 10_000,
    retries: 0,
    concurrency: 50,
  };
  try {
    const search = new CouncilSearch(setup);
    const directory = join(place, "run");
    const run = await start<CouncilCandidate, CouncilValue, CouncilResult>({
      search,
      evaluator: councilEvaluator,
      context: { consult, directory: place, questionMs: 1000 },
      pool: concurrent({ workers: 20 }),
      journal: { directory },
    });
    const done = await run.finished;
    // Closing connections reach the server with the next turns of the loop.
    for (let turn = 0; turn < 50 && server.underWay > 0; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
    return { ...done, server, search, waste: speculativeWaste(join(directory, JOURNAL_NAME)) };
  } finally {
    await closeGateway(consult);
    rmSync(place, { recursive: true });
  }
}
