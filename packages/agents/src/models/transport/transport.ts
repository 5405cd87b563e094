import { LiveGroups } from "@coppice/engine/child-process";
import type { ChosenModel } from "../choose-model.ts";
import { ModelError, type ModelRequest } from "../consultation.ts";
import type { Provider } from "../models-file.ts";
import type { ProviderAnswer } from "./chat-protocol.ts";

export interface Attempt {
  readonly request: ModelRequest;
  readonly model: ChosenModel;
  readonly signal: AbortSignal;
  /** Called with the number of characters that have arrived so far, thoughts included, and the text without them. */
  readonly arrived: (characters: number, content: string) => void;
}

/** How requests reach a model. Sends once: limits, retries and totals are not its business. */
export interface Transport {
  send(attempt: Attempt): Promise<ProviderAnswer>;
  close?(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The transport to a provider; loads what it needs only now. A provider whose key is missing is never asked. */
export async function openTransport(
  provider: Provider,
  name: string,
  environment: Environment,
  keyVariables: readonly string[],
): Promise<Transport> {
  if ("command" in provider) {
    const { CommandTransport } = await import("./command.ts");
    return new CommandTransport(provider, new LiveGroups(), keyVariables);
  }
  if ("demo" in provider) {
    return demoTransport();
  }
  const key = provider.keyVariable === undefined ? undefined : environment[provider.keyVariable]?.trim();
  if (provider.keyVariable !== undefined && (key === undefined || key === "")) {
    throw new ModelError("NoKey", `no key for provider ${name}: set ${provider.keyVariable}`);
  }
  const { HttpTransport } = await import("./http.ts");
  return new HttpTransport(provider, key);
}

/** Made-up answers over real HTTP: a practice server on this machine, started with the first request. */
async function demoTransport(): Promise<Transport> {
  const { demoAnswer, PracticeServer } = await import("../../practice-server/index.ts");
  const { HttpTransport } = await import("./http.ts");
  const server = await PracticeServer.start({ respond: demoAnswer, remember: false });
  server.unref();
  const http = new HttpTransport({ baseUrl: server.url }, undefined);
  return { send: (attempt) => http.send(attempt), close: () => server.close() };
}
