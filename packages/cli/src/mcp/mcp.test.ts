import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { runningProcess } from "@coppice/engine/records";
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv-provider.js";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation/types.js";
import { assertRefused, coppice, document, file, journaled, temporaryDirectory } from "../../test/coppice.ts";
import { mcpSession } from "../../test/mcp-client.ts";

const runsOf = (place: string): string => join(place, ".coppice", "runs");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) if (condition()) return;
  assert.fail(`${what}: not within a minute`);
}

/** What `tune` is given in a {@link heldPlace}. */
const HELD = { evaluator: "judge.mjs", space: "space.json", test_values: 3, max_passes: 1, workers: 1 };

/** A place with something to tune that gets no further than its baseline while there is a file `hold`. */
function heldPlace(t: TestContext): string {
  const place = temporaryDirectory(t);
  const parameters = [{ name: "x", path: "x", min: -9, max: 9 }];
  const space = { horizons: ["near"], objective: "maximize", baseline: { x: 0 }, parameters };
  file(place, "space.json", JSON.stringify(space));
  file(
    place,
    "judge.mjs",
    `import { existsSync } from "node:fs";
const isHeld = () => existsSync(import.meta.dirname + "/hold");
export default { async evaluate(_, { configuration: { x } }) {
  while (x !== 0 && isHeld()) await new Promise((resolve) => setTimeout(resolve, 20));
  return { near: -Math.abs(x - 4) };
} };\n`,
  );
  file(place, "hold", "");
  return place;
}

describe("coppice mcp", { concurrency: 2 }, () => {
  it("offers its tools with a schema, a description, and a word on what they may harm", async (t) => {
    const { client } = await mcpSession(t, temporaryDirectory(t));
    assert.equal(client.getServerVersion()?.name, "coppice");
    assert.match(client.getInstructions() ?? "", /wait_seconds/);
    const { tools } = await client.listTools();
    const names = "ask council swarm digest runs show resume stop flow_plan tune tree_start tree_status tree_apply";
    assert.deepEqual(
      tools.map(({ name }) => name),
      names.split(" "),
    );
    for (const { name, description, inputSchema, annotations } of tools) {
      assert.equal(inputSchema.type, "object", name);
      assert.equal(inputSchema.additionalProperties, false, `${name} takes only what it knows`);
      assert.ok((description ?? "").length > 20, name);
      assert.equal(annotations?.readOnlyHint, ["runs", "show", "tree_status"].includes(name), name);
      if (annotations?.readOnlyHint === false) assert.equal(annotations.destructiveHint, name === "tree_apply", name);
    }
  });

  // As its published behaviour has it: everything listed is fetched, every schema compiled, every answer held to its schema.
  it("passes what the protocol's inspector checks: schemas, lists, what is listed can be read, errors with their numbers", async (t) => {
    const place = temporaryDirectory(t);
    const { client } = await mcpSession(t, place);
    const schemas = new AjvJsonSchemaValidator();
    const compiles = (schema: object) => typeof schemas.getValidator(schema as JsonSchemaType)({}).valid === "boolean";
    const { tools } = await client.listTools();
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
    for (const { name, title, inputSchema, outputSchema, annotations } of tools) {
      assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
      assert.ok((title ?? annotations?.title ?? "") !== "", `${name} has a title`);
      for (const property of inputSchema.required ?? []) assert.ok(property in (inputSchema.properties ?? {}), name);
      assert.ok(compiles(inputSchema) && compiles(outputSchema ?? {}), name);
      assert.equal(outputSchema?.type, "object", name);
    }
    // The client refuses structured content that is not what the tool's schema says.
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const asked = await call("ask", { question: "Is it so?", demo: true });
    assert.notEqual(asked.isError, true, JSON.stringify(asked.content));
    for (const wrong of [call("runs", { limit: "many" }), call("runs", { colour: "red" }), call("nothing", {})]) {
      const { isError, content } = await wrong;
      assert.deepEqual([isError, /-32602/.test(JSON.stringify(content))], [true, true]);
    }
    assert.deepEqual(await client.ping(), {});
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["coppice://runs/{run}/{+file}"],
    );
    const { resources } = await client.listResources();
    assert.equal(resources.length, 1);
    for (const { uri, name, mimeType } of resources) {
      const { contents } = await client.readResource({ uri });
      const [first] = contents;
      assert.deepEqual([first?.uri, first?.mimeType, name !== ""], [uri, mimeType, true]);
      assert.ok(first !== undefined && "text" in first && JSON.parse(String(first.text)));
    }
    const refusal = (code: number) => (error: Error & { code?: number }) => error.code === code;
    await assert.rejects(client.readResource({ uri: "coppice://runs/999/answer" }), refusal(-32002));
    await assert.rejects(client.readResource({ uri: "coppice://runs/1/..%2F..%2Fx" }), refusal(-32002));
    await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }), refusal(-32602));
    await assert.rejects(client.request({ method: "prompts/list" }, EmptyResultSchema), refusal(-32601));
    await assert.rejects(client.request({ method: "logging/setLevel" }, EmptyResultSchema), refusal(-32601));
  });

  it("answers as the command line does, with progress that grows, and keeps a run of it", async (t) => {
    const place = temporaryDirectory(t);
    const { call, client } = await mcpSession(t, place);
    const seen: number[] = [];
    const plan = await call(
      "flow_plan",
      { evaluations: 600, seed: 3 },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    const typed = document(await coppice(place, ["flow", "plan", "--evaluations", "600", "--seed", "3", "--json"]));
    assert.equal(plan.structured.state, "done");
    assert.equal(plan.structured.digest, typed.digest);
    assert.ok(seen.length > 0);
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
      "every message says more than the one before",
    );
    const { run, digest } = plan.structured;
    const shown = await call("show", { run });
    assert.deepEqual([shown.structured.state, shown.structured.digest], ["done", digest]);
    // What was left out of the answer is all in the resource.
    const whole = `coppice://runs/${run}/answer`;
    assert.deepEqual(plan.links, [whole]);
    assert.ok(plan.text.length < 8000, `${plan.text.length} characters`);
    let text = "";
    for (let uri: string | undefined = whole; uri !== undefined; ) {
      const { contents } = await client.readResource({ uri });
      text += "text" in contents[0] ? contents[0].text : "";
      uri = contents[1]?.uri;
    }
    assert.deepEqual(JSON.parse(text).after, typed.after);
    const listed = (await client.listResources()).resources;
    assert.ok(
      listed.some(({ uri }) => uri === whole),
      JSON.stringify(listed),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ["coppice://runs/{run}/{+file}"],
    );
    const [record] = (await client.readResource({ uri: `coppice://runs/${run}/run.json` })).contents;
    assert.equal(record.mimeType, "application/json");
  });

  it("asks models, in the order named, within what the server lets a call spend", async (t) => {
    const place = temporaryDirectory(t);
    writeFileSync(join(place, "notes.md"), "# Notes\n\nThe queue is slow.\n");
    const { call } = await mcpSession(t, place, ["--max-cost", "0.5"]);
    const proposal = "Move the jobs to a queue";
    // All at once: each has a process and a run of its own.
    const [asked, held, read, ...swarms] = await Promise.all([
      call("ask", { question: "--help me?\nplease", personas: ["critic", "judge"], demo: true }),
      call("council", { proposal, preset: "quick", max_rounds: 1, demo: true }),
      call("digest", { files: ["notes.md"], question: "What is slow?", demo: true }),
      call("swarm", { kind: "generate", text: "names", count: 2, demo: true }),
      call("swarm", { kind: "review", files: ["*.md"], demo: true }),
    ]);
    const { results, query } = asked.structured.answer as { results: { persona: string }[]; query: string };
    assert.deepEqual([query, results.map(({ persona }) => persona)], ["--help me?\nplease", ["critic", "judge"]]);
    assert.equal((read.structured.answer as { files: unknown[] }).files.length, 1);
    for (const { structured, text } of [held, ...swarms]) assert.equal(structured.state, "done", text);
  });

  it("stops the work of a call that is cancelled; resumed, the run has the answer of one that was not", async (t) => {
    const place = heldPlace(t);
    const { call } = await mcpSession(t, place, ["--allow-commands"]);
    const cancel = new AbortController();
    const cancelled = call("tune", HELD, { signal: cancel.signal });
    const directory = join(runsOf(place), "1");
    await Promise.all([assert.rejects(cancelled), journaled(directory, 1).then(() => cancel.abort())]);
    await until("the run's process is gone", () => runningProcess(directory) === undefined);
    const stopped = await call("show", { run: "1" });
    assert.equal(stopped.structured.state, "interrupted");
    assert.match(String(stopped.structured.next), /resume/);
    rmSync(join(place, "hold"));
    const resumed = await call("resume", { run: "1" });
    const straight = await call("tune", HELD);
    assert.equal(resumed.structured.state, "done");
    assert.equal(resumed.structured.digest, straight.structured.digest);
  });

  it("answers with the id of a long run, which goes on, can be waited for and be stopped", async (t) => {
    const place = heldPlace(t);
    const { call } = await mcpSession(t, place, ["--allow-commands"]);
    const started = await call("tune", { ...HELD, wait_seconds: 0 });
    assert.deepEqual([started.structured.run, started.structured.state], ["1", "running"]);
    const directory = join(runsOf(place), "1");
    await until("it works", () => runningProcess(directory) !== undefined);
    const pid = runningProcess(directory)?.pid ?? 0;
    // Giving up on the waiting does not give up on the run.
    const impatient = AbortSignal.timeout(300);
    await assert.rejects(call("show", { run: "1", wait_seconds: 600 }, { signal: impatient }));
    assert.ok(isAlive(pid));
    assert.equal((await call("show", { run: "1" })).structured.state, "running");
    assert.equal((await call("stop", { run: "1" })).structured.state, "interrupted");
    assert.ok(!isAlive(pid));
    const again = await call("stop", { run: "1" });
    assert.deepEqual([again.isError, again.text], [true, "run 1 is not running: interrupted"]);
  });

  for (const [how, end] of [
    ["its client goes", (session: Awaited<ReturnType<typeof mcpSession>>) => session.client.close()],
    ["it is killed", (session: Awaited<ReturnType<typeof mcpSession>>) => process.kill(session.pid, "SIGKILL")],
  ] as const) {
    it(`leaves no run working behind when ${how}; another server goes on with it`, async (t) => {
      const place = heldPlace(t);
      const session = await mcpSession(t, place, ["--allow-commands"]);
      await session.call("tune", { ...HELD, wait_seconds: 0 });
      const directory = join(runsOf(place), "1");
      await until("it works", () => runningProcess(directory) !== undefined);
      const pid = runningProcess(directory)?.pid ?? 0;
      // A watch over it is set when it has worked for a moment.
      await wait(1000);
      await end(session);
      await until("the run's process is gone", () => !isAlive(pid));
      const other = await mcpSession(t, place, ["--allow-commands"]);
      assert.match(String((await other.call("show", { run: "1" })).structured.state), /interrupted|cut off/);
      assert.equal((await other.call("resume", { run: "1", wait_seconds: 0 })).structured.state, "running");
      assert.equal((await other.call("stop", { run: "1" })).isError, false);
    });
  }

  it("does nothing that harms unless it was started so", async (t) => {
    const place = temporaryDirectory(t);
    const { call } = await mcpSession(t, place);
    const dry = await call("tree_start", { dry_run: true, max_depth: 1 });
    assert.equal(dry.structured.state, "done");
    const { run } = dry.structured;
    assert.equal((await call("tree_status", { run })).structured.stop_reason, "max_depth_reached");
    for (const [name, input, said] of [
      ["tree_start", {}, /--allow-commands/],
      ["tune", { evaluator: "x.ts", space: "x.json" }, /--allow-commands/],
      ["resume", { run }, /a run of "tree" .*--allow-commands/],
      ["tree_apply", { run, write: true }, /--allow-apply/],
      ["tree_apply", { run }, /was a dry run/],
    ] as const) {
      const { isError, text } = await call(name, input);
      assert.ok(isError, name);
      assert.match(text, said);
    }
    assert.deepEqual(readdirSync(runsOf(place)), [run]);
  });

  it("says in one line what is wrong with an input, and leaves nothing behind", async (t) => {
    const place = temporaryDirectory(t);
    mkdirSync(join(place, "project"));
    writeFileSync(join(place, "secret"), "s");
    symlinkSync(join(place, "secret"), join(place, "project", "link"));
    const { call, client } = await mcpSession(t, join(place, "project"));
    for (const [name, input, said] of [
      ["ask", {}, /question/],
      ["ask", { question: "x", qestion: "y" }, /qestion/],
      ["ask", { question: "   ", demo: true }, /question is empty/],
      ["ask", { question: "a\0b", demo: true }, /zero bytes/],
      ["ask", { question: "x", preset: "nope", demo: true }, /there is no preset "nope"/],
      ["ask", { question: "x", preset: "a\0b", demo: true }, /null bytes/],
      ["ask", { question: "x", personas: ["judge"], preset: "quick", demo: true }, /cannot be used with/],
      ["swarm", { kind: "generate", text: "x", demo: true }, /needs count/],
      ["swarm", { kind: "review", demo: true }, /needs files/],
      ["swarm", { kind: "review", files: ["../*"], demo: true }, /outside of/],
      ["digest", { files: ["../secret"], demo: true }, /outside of/],
      ["digest", { files: ["link"], demo: true }, /outside of/],
      ["flow_plan", { evaluations: 0 }, /evaluations/],
      ["flow_plan", { instance: "nope.json" }, /nope\.json/],
      ["tune", {}, /--data/],
      ["show", { run: "9" }, /there is no run 9/],
      ["show", { run: "../secret" }, /by its id/],
      ["resume", { run: "9" }, /there is no run 9/],
      ["stop", { run: "9" }, /there is no run 9/],
      ["tree_status", { run: "9" }, /there is no run 9/],
      ["nope", {}, /nope/],
    ] as const) {
      const { isError, text } = await call(name, input);
      assert.ok(isError, `${name} ${JSON.stringify(input)}: ${text}`);
      assert.match(text, said);
      assert.ok(!text.trim().includes("\n"), text);
      assert.doesNotMatch(text, /\bat .*:\d+:\d+/, "no stack");
    }
    for (const uri of ["coppice://runs/9/answer", "coppice://elsewhere/1", "coppice://runs/1/..%2F..%2Fsecret"]) {
      await assert.rejects(client.readResource({ uri }), /no run|not found/);
    }
    assert.deepEqual(readdirSync(join(place, "project")), ["link"]);
  });

  it("refuses flags it does not know, before it speaks the protocol", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["mcp", "--allow-everything"]), /unknown option '--allow-everything'/);
    assertRefused(await coppice(place, ["mcp", "--max-cost", "lots"]), /--max-cost/);
    assert.deepEqual(readdirSync(place), []);
    writeFileSync(join(place, "file"), "");
    assertRefused(
      await coppice(place, ["mcp", "--run-dir", "file/runs"]),
      /--run-dir file\/runs: .*\/file is not a directory/,
    );
  });
});
