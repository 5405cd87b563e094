import { once } from "node:events";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { AnswerBook } from "./answer-book.ts";
import { offerResources } from "./resources.ts";
import { RunDesk, type Starter } from "./run-desk.ts";
import { answerShape, type Permissions, type Tool } from "./tool.ts";
import { ask, council, digest, swarm } from "./tools/consult.ts";
import { resume, runs, show, stop, treeApply, treeStatus } from "./tools/records.ts";
import { flowPlan, treeStart, tune } from "./tools/search.ts";

/** What a server is started with. */
export interface ServerOptions extends Permissions {
  readonly version: string;
  /** How this `coppice` is started, for the processes that do the work. */
  readonly starter: Starter;
  /** The directory of runs. */
  readonly runs: string;
}

const tools: readonly Tool[] = [
  ask,
  council,
  swarm,
  digest,
  runs,
  show,
  resume,
  stop,
  flowPlan,
  tune,
  treeStart,
  treeStatus,
  treeApply,
];

const INSTRUCTIONS = `Coppice runs expensive searches in parallel, with the same answer every time.
A tool that starts work returns its answer if it is ready within wait_seconds, else the id of the run, which goes on: call show with it.
Cancelling a call stops its work; resume goes on with it. Answers are short; the resource named in "more" has all of it.`;

/** Serves the Model Context Protocol on standard input and output until the client has gone; then stops every run in order. */
export async function serveMcp({ version, starter, runs: place, ...permissions }: ServerOptions): Promise<void> {
  const desk = new RunDesk(starter, place);
  const answers = new AnswerBook();
  const server = new McpServer({ name: "coppice", version }, { instructions: INSTRUCTIONS });
  for (const { name, call, input, description, annotations } of tools) {
    const about = { description, inputSchema: input, outputSchema: answerShape, annotations };
    server.registerTool(name, about, async (given, { signal, _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      const tellProgress = async (progress: number, message: string): Promise<void> => {
        if (progressToken === undefined || signal.aborted) return;
        await sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } });
      };
      const answer = await call(given, { desk, answers, permissions, signal, tellProgress });
      const { run, more } = answer;
      const text = { type: "text", text: JSON.stringify(answer) } as const;
      const rest = {
        type: "resource_link",
        uri: more ?? "",
        name: `all of run ${run}`,
        mimeType: "application/json",
      } as const;
      return { content: more === undefined ? [text] : [text, rest], structuredContent: answer };
    });
  }
  offerResources(server, place, answers);
  await server.connect(new StdioServerTransport());
  await goneOrEnded();
  await desk.close();
  await server.close();
}

/** The client has closed our input, or somebody wants us to end. */
async function goneOrEnded(): Promise<void> {
  const ends = new AbortController();
  const of = (name: string, from: NodeJS.EventEmitter) => once(from, name, { signal: ends.signal }).catch(() => {});
  await Promise.race([
    of("end", process.stdin),
    of("close", process.stdin),
    of("SIGTERM", process),
    of("SIGINT", process),
  ]);
  ends.abort();
}
