import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CouncilCandidate,
  type CouncilResult,
  CouncilSearch,
  type CouncilSetup,
  type CouncilValue,
  councilEvaluator,
  type SpeculativeWaste,
  speculativeWaste,
} from "@coppice/agents/council";
import { closeGateway, parseModels } from "@coppice/agents/models";
import { instructions, PracticeServer, question, type ReceivedCall } from "@coppice/agents/practice-server";
import { concurrent, start } from "@coppice/engine";
import { JOURNAL_NAME } from "@coppice/engine/records";

const members = ["judge", "critic", "skeptic", "oracle"];

/** How long everybody takes, and when the arbiter has heard enough. */
export interface Course {
  /** Milliseconds until an answer is complete, by `round 2: judge`. */
  readonly latencyMs: (label: string) => number;
  /** The round after which the arbiter concludes. */
  readonly concludes: number;
}

export interface HeldCouncil {
  readonly result: CouncilResult;
  /** From the start of the run to its end. */
  readonly ms: number;
  /** Every request that belongs to a round that was held, as it was sent, in a fixed order. */
  readonly prompts: readonly string[];
  readonly waste: SpeculativeWaste;
  /** From the end of the last synthesis to the moment the server saw a request closed, one per request that was. */
  readonly closedAfterMs: readonly number[];
}

/** Holds a council of four who never agree over real HTTP, at most three rounds long. */
export async function holdCouncil(speculate: boolean, course: Course): Promise<HeldCouncil> {
  await using server = await PracticeServer.start({
    respond: (call) => {
      const label = labelOf(call);
      return { kind: "answer", content: said(label, course), latencyMs: course.latencyMs(label) };
    },
  });
  const place = mkdtempSync(join(tmpdir(), "coppice-bench-council-"));
  const consult = { models: modelsAt(server.url), place: "the bench", timeoutMs: 0, retries: 0, concurrency: 50 };
  try {
    const directory = join(place, "run");
    const startedMs = performance.now();
    const run = await start<CouncilCandidate, CouncilValue, CouncilResult>({
      search: new CouncilSearch({ ...setup, speculate }),
      evaluator: councilEvaluator,
      context: { consult, directory: place, questionMs: 0 },
      pool: concurrent({ workers: 12 }),
      journal: { directory },
    });
    const { result } = await run.finished;
    const ms = performance.now() - startedMs;
    await allClosed(server);
    return {
      result,
      ms,
      prompts: promptsOf(server.calls, result.rounds.length),
      waste: speculativeWaste(join(directory, JOURNAL_NAME)),
      closedAfterMs: closings(server.calls),
    };
  } finally {
    await closeGateway(consult);
    rmSync(place, { recursive: true });
  }
}

const setup: CouncilSetup = {
  proposal: "Replace the scheduler.",
  seats: members.map((name) => ({ name, prompt: `You are ${name}.` })),
  library: [],
  models: ["local/a", "local/b"],
  arbiter: { prompt: "You are the arbiter.", model: "local/arbiter" },
  tuning: {},
  maxRounds: { value: 3, from: "flag" },
  threshold: { value: 0.7, from: "flag" },
  abstain: "counts",
  quorum: 0.5,
  maxSize: 4,
  answers: {},
  lookUp: { code: false, person: false },
  speculate: false,
  seed: 1,
};

function modelsAt(baseUrl: string) {
  const price = { input: 1, output: 4 };
  const models = Object.fromEntries(["a", "b", "arbiter"].map((model) => [model, { provider: "local", model, price }]));
  return parseModels(JSON.stringify({ providers: { local: { baseUrl } }, models }), "the bench");
}

/** Who is asked, and in which round: `round 2: judge`. */
function labelOf(call: Pick<ReceivedCall, "body">): string {
  const [, name = "arbiter"] = /You are (\w+)\./.exec(instructions(call)) ?? [];
  const [, round = "?"] = /[Rr]ound (\d+)/.exec(question(call)) ?? [];
  return `round ${round}: ${name}`;
}

function said(label: string, { concludes }: Course): string {
  if (label.endsWith("arbiter")) {
    const next = label === `round ${concludes}: arbiter` ? "CONCLUDE" : "CONTINUE";
    return JSON.stringify({ verdict: "STOP", confidence: 60, reasoning: "They are divided.", next });
  }
  const verdict = label.endsWith("judge") || label.endsWith("oracle") ? "PROCEED" : "STOP";
  return JSON.stringify({ verdict, confidence: 80, conviction: 90, reasoning: `It is ${label} who says so.` });
}

/** Without early requests for rounds that were never held: nobody asked for those in the other case. */
function promptsOf(calls: readonly ReceivedCall[], rounds: number): string[] {
  const roundOf = (call: ReceivedCall) => Number(/\d+/.exec(labelOf(call))?.[0]);
  return calls
    .filter((call) => roundOf(call) <= rounds)
    .map(({ body }) => JSON.stringify(body))
    .sort();
}

function closings(calls: readonly ReceivedCall[]): number[] {
  const synthesis = calls.findLast((call) => labelOf(call).endsWith("arbiter"))?.endedAtMs ?? 0;
  return calls.flatMap(({ closedAtMs }) => (closedAtMs === undefined ? [] : [closedAtMs - synthesis]));
}

/** Sees to it that the server has noticed every closed connection; gives up after a second. */
async function allClosed(server: PracticeServer): Promise<void> {
  for (let turn = 0; turn < 500 && server.underWay > 0; turn++) await new Promise((resolve) => setTimeout(resolve, 2));
}
