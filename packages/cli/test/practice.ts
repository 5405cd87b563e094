import type { TestContext } from "node:test";
import { type Behaviour, PracticeServer, type PracticeServerOptions } from "@coppice/agents/practice-server";
import { file, temporaryDirectory } from "./coppice.ts";

/** A directory with a models file that points to a practice server. */
export interface Practice {
  readonly place: string;
  readonly server: PracticeServer;
}

/** What a persona would say, with the question in it. */
export function opinion(verdict: string, confidence: number): Behaviour {
  const content = JSON.stringify({ verdict, confidence, conviction: 60, reasoning: "Because it is so." });
  return { kind: "answer", content, usage: { prompt_tokens: 100, completion_tokens: 50 } };
}

/** Starts a server for one test; both go when it ends. `priced` costs $0.01 per answer of {@link opinion}. */
export async function practice(
  t: TestContext,
  options: PracticeServerOptions,
  more: {
    readonly provider?: Record<string, unknown>;
    readonly personas?: Record<string, string>;
    /** Further fields of the models file. */
    readonly file?: Record<string, unknown>;
  } = {},
): Promise<Practice> {
  const server = await PracticeServer.start(options);
  t.after(() => server.close());
  const place = temporaryDirectory(t);
  const models = {
    providers: { local: { baseUrl: server.url, ...more.provider } },
    models: {
      plain: { provider: "local", model: "plain-1" },
      priced: { provider: "local", model: "priced-1", price: { input: 50, output: 100 } },
    },
    default: "plain",
    personas: more.personas ?? {},
    ...more.file,
  };
  file(place, "coppice.models.yaml", JSON.stringify(models));
  return { place, server };
}

/** Which persona a request is for, by its instructions. */
export function personaOf(body: { readonly messages: readonly { readonly content: string }[] }): string {
  return /You are the (\w+)/.exec(body.messages[0]?.content ?? "")?.[1]?.toLowerCase() ?? "";
}
