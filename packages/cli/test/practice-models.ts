import type { TestContext } from "node:test";
import {
  type Behaviour,
  instructions,
  PracticeServer,
  question,
  type ReceivedCall,
} from "@coppice/agents/practice-server";
import { file, temporaryDirectory } from "./coppice.ts";

/** A directory with a models file that leads to a practice server of its own. */
export interface PracticeModels {
  readonly directory: string;
  readonly server: PracticeServer;
}

/** Starts a server that answers as told and writes the models file for it; both go with the test. */
export async function practiceModels(
  t: TestContext,
  respond: (call: ReceivedCall) => Behaviour | string,
): Promise<PracticeModels> {
  const server = await PracticeServer.start({
    respond: (call) => {
      const said = respond(call);
      return typeof said === "string" ? { kind: "answer", content: said } : said;
    },
  });
  t.after(() => server.close());
  const directory = temporaryDirectory(t);
  const price = { input: 1, output: 2 };
  const models = Object.fromEntries(["a", "b", "chief"].map((model) => [model, { provider: "local", model, price }]));
  const content = {
    providers: { local: { baseUrl: server.url } },
    models,
    default: "a",
    pool: ["a", "b"],
    arbiter: "chief",
  };
  file(directory, "coppice.models.json", JSON.stringify(content));
  return { directory, server };
}

/** Who of a council is asked, and in which round: `round 2: judge`. */
export function labelOf(call: Pick<ReceivedCall, "body">): string {
  const [, name = "?"] = /You are the (\w+)\./.exec(instructions(call)) ?? [];
  const [, round = "?"] = /[Rr]ound (\d+)/.exec(question(call)) ?? [];
  return `round ${round}: ${name.toLowerCase()}`;
}
