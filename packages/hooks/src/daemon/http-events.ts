import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { knownAgents } from "../agent/known-agents.ts";
import { answerHere } from "../run/answer-here.ts";
import { type EventInput, readEventInput } from "../run/event-input.ts";
import { whyNothingRan } from "../settings/known-events.ts";
import type { HooksDaemon } from "./daemon.ts";

const MAX_BODY_BYTES = 32 * 1024 * 1024;

/**
 * Answers whole events over loopback HTTP while the daemon runs, for agents that can post a hook's input instead of
 * starting a process: `POST /hooks/<Event>` with the token as bearer. A block is said in JSON, as there is no exit code.
 * A port that is taken ends the daemon and is a {@link UsageError}.
 */
export async function listenHttp(
  daemon: HooksDaemon,
  port: number,
  env: NodeJS.ProcessEnv,
): Promise<{ server: Server; port: number }> {
  // Which project an event belongs to is the event's to say; the daemon serves them all.
  const shared = Object.fromEntries(
    Object.entries(env).filter(([name]) => !knownAgents.some(({ projectVariable }) => projectVariable === name)),
  );
  const server = createServer((request, response) => {
    const reply = (status: number, body: string): void => {
      // A connection kept for the next event may be closed just when that one is posted, and a guard would not be heard.
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body);
    };
    const gone = new AbortController();
    response.on("close", () => gone.abort("the caller has gone"));
    answer(request, daemon, shared, gone.signal).then(
      ({ status, body }) => reply(status, body),
      (error) => reply(500, JSON.stringify({ error: error instanceof Error ? error.message : String(error) })),
    );
  });
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    await daemon.close();
    const taken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `--http ${port}: ${taken ? "another program listens there; leave the port out for a free one" : why}`,
    );
  }
  void daemon.ended.then(() => server.close());
  const address = server.address();
  return { server, port: typeof address === "object" && address !== null ? address.port : port };
}

async function answer(
  request: IncomingMessage,
  daemon: HooksDaemon,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ status: number; body: string }> {
  const refuse = (status: number, error: string) => ({ status, body: JSON.stringify({ error }) });
  // A page in a browser can reach loopback under another name; it can neither know the token nor choose this header.
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? "")) return refuse(403, "wrong host");
  if (!knowsToken(request, daemon)) return refuse(401, "wrong token");
  const event = /^\/hooks\/([A-Z][A-Za-z]+)$/.exec(request.url ?? "")?.[1];
  if (event === undefined || request.method !== "POST") return refuse(404, "POST /hooks/<Event>");
  const body = await readBody(request);
  if (body === undefined) return refuse(413, `more than ${MAX_BODY_BYTES} bytes`);
  let input: EventInput;
  try {
    input = readEventInput(body, "the body");
  } catch (error) {
    return refuse(400, (error as Error).message);
  }
  const { cwd } = input.fields;
  // The hooks of where the daemon happens to have been started would be somebody else's.
  if (cwd !== undefined && !(typeof cwd === "string" && isFolder(cwd)))
    return refuse(400, `the event's cwd is ${JSON.stringify(cwd)}, which is not a directory here`);
  const call = { event, input, env, cwd: process.cwd(), signal, daemon, serial: false, exitCodes: false };
  const { merged, record } = await answerHere(call);
  setImmediate(record);
  // An address with a misspelt event must not look like a guard that has nothing against it.
  const nothingRan = whyNothingRan(event, merged.stdout);
  if (nothingRan !== undefined) return refuse(404, nothingRan);
  return { status: 200, body: merged.stdout };
}

/** Whether a request carries the daemon's token as bearer. */
export function knowsToken({ headers }: IncomingMessage, daemon: HooksDaemon): boolean {
  return daemon.accepts(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1]);
}

/** A request's body; undefined when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
