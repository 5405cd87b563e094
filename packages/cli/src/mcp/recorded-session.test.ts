import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { ended, launch, temporaryDirectory } from "../../test/coppice.ts";
import { play, type RecordedLine } from "../../test/mcp-recording.ts";

const RECORDING = fileURLToPath(new URL("../../test/fixtures/mcp-session.json", import.meta.url));

const request = (id: number, method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const call = (id: number, name: string, input: object, more: object = {}): string =>
  request(id, "tools/call", { name, arguments: input, ...more });

/** What a client says: everything an agent does in a session, and what a broken one might. */
const lines: readonly string[] = [
  request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "recorded", version: "1" },
  }),
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  request(1, "tools/list"),
  request(2, "ping"),
  call(3, "flow_plan", { evaluations: 300, seed: 5 }, { _meta: { progressToken: "p" } }),
  call(4, "show", { run: "1" }),
  call(5, "tree_start", { dry_run: true, max_depth: 1 }),
  call(6, "tree_status", { run: "2" }),
  call(7, "runs", {}),
  request(8, "resources/list"),
  request(9, "resources/templates/list"),
  request(10, "resources/read", { uri: "coppice://runs/2/TREE_GRAPH.md" }),
  "this is no JSON",
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}',
  call(11, "tree_start", {}),
  call(12, "show", { run: 1 }),
  request(13, "no/such/method"),
];

describe("a recorded session", () => {
  it("goes as it went, answer by answer and digest by digest, when it is replayed to a new server", async (t) => {
    const server = launch(temporaryDirectory(t), ["mcp"], {}, t, "pipe");
    const session = await play(server, lines);
    server.stdin?.end();
    const end = ended(server);
    assert.equal((await end).code, 0);
    // To record it anew after a change on purpose: COPPICE_RECORD=1, then read the difference.
    if (process.env.COPPICE_RECORD === "1") writeFileSync(RECORDING, `${JSON.stringify(session, null, 1)}\n`);
    const recorded = JSON.parse(readFileSync(RECORDING, "utf8")) as readonly RecordedLine[];
    assert.deepEqual(session, recorded);
  });
});
