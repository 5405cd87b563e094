import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { COPPICE, plainEnvironment } from "./coppice.ts";

/** What a tool answered, as an agent sees it. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
}

/** How a call may be made: told about, or given up. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string | undefined }) => void;
}

export interface McpSession {
  readonly client: Client;
  /** The server's process. */
  readonly pid: number;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<ToolAnswer>;
}

/** A session of the protocol's own client with `coppice mcp …` in a directory; it ends with the test. */
export async function mcpSession(t: TestContext, place: string, flags: readonly string[] = []): Promise<McpSession> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COPPICE, "mcp", ...flags],
    cwd: place,
    // Cast: what is undefined was left out there.
    env: plainEnvironment() as Record<string, string>,
    stderr: "inherit",
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  t.after(() => client.close());
  // The client checks structured answers against the schemas it has been told.
  await client.listTools();
  const call: McpSession["call"] = async (name, input, options = {}) => {
    const timeout = 120_000;
    const answer = await client.callTool({ name, arguments: input }, undefined, { timeout, ...options });
    const content = answer.content as readonly {
      readonly type: string;
      readonly text?: string;
      readonly uri?: string;
    }[];
    return {
      isError: answer.isError === true,
      text: content.flatMap(({ text }) => text ?? []).join("\n"),
      structured: (answer.structuredContent ?? {}) as Readonly<Record<string, unknown>>,
      links: content.flatMap(({ uri }) => uri ?? []),
    };
  };
  return { client, pid: transport.pid ?? 0, call };
}
