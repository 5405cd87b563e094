import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";

interface Call {
  readonly id: string;
  readonly description?: string;
}

/** Lines of a transcript as agents write them: one line per block of a message. */
function message(id: string, calls: readonly Call[], stopReason: string | null = null): string {
  return calls
    .map(({ id: callId, description = "look at one part" }) =>
      JSON.stringify({
        type: "assistant",
        message: {
          id,
          stop_reason: stopReason,
          content: [{ type: "tool_use", id: callId, name: "Task", input: { description, prompt: "p" } }],
        },
      }),
    )
    .join("\n");
}

const prompt = JSON.stringify({ type: "user", message: { content: "do it" } });
const result = (id: string) =>
  JSON.stringify({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] } });

async function ask(mode: "warn" | "block", lines: readonly string[], call: Call) {
  using project = new TemporaryProject();
  project.configure("PreToolUse", [], { sequentialAgents: mode });
  const transcript = project.write("transcript.jsonl", `${lines.join("\n")}\nnot json\n`);
  const answered = await project.answer("PreToolUse", {
    tool_name: "Task",
    tool_use_id: call.id,
    tool_input: { description: call.description ?? "look at one part", prompt: "p" },
    transcript_path: transcript,
  });
  const warned = String(answered.json.systemMessage ?? "").startsWith("Agents were started one at a time");
  return { exitCode: answered.exitCode, warned, stderr: answered.stderr };
}

const single = [prompt, message("m1", [{ id: "a" }]), result("a"), message("m2", [{ id: "b" }]), result("b")];

describe("H-22 agents started one at a time", () => {
  it("warns after two messages in a row with a single agent", async () => {
    const one = [prompt, message("m1", [{ id: "a" }]), result("a"), message("m2", [{ id: "b" }])];
    assert.equal((await ask("warn", one, { id: "b" })).warned, false);
    assert.equal((await ask("warn", [...single, message("m3", [{ id: "c" }])], { id: "c" })).warned, true);
  });

  it("groups by message, not by time: agents of one message were started together", async () => {
    const batch = [
      prompt,
      message("m1", [{ id: "a" }, { id: "b" }]),
      result("a"),
      result("b"),
      message("m2", [{ id: "c" }]),
    ];
    assert.equal((await ask("warn", [...batch, result("c"), message("m3", [{ id: "d" }])], { id: "d" })).warned, false);
  });

  it("blocks only if configured and only when the message is complete, never the first call of a batch", async () => {
    const open = [...single, message("m3", [{ id: "c" }])];
    assert.deepEqual(
      [(await ask("block", open, { id: "c" })).exitCode, (await ask("block", open, { id: "c" })).warned],
      [0, true],
    );
    const batch = [...single, message("m3", [{ id: "c" }, { id: "d" }], "tool_use")];
    assert.equal((await ask("block", batch, { id: "c" })).exitCode, 0);
    const complete = [...single, message("m3", [{ id: "c" }], "tool_use")];
    const blocked = await ask("block", complete, { id: "c" });
    assert.equal(blocked.exitCode, 2);
    assert.match(blocked.stderr, /together, in one message/);
    assert.equal((await ask("warn", complete, { id: "c" })).exitCode, 0);
  });

  it("exempts an agent that says what it depends on", async () => {
    const complete = [...single, message("m3", [{ id: "c" }], "tool_use")];
    const call = { id: "c", description: "[depends on the survey] write it up" };
    assert.deepEqual(await ask("block", complete, call), { exitCode: 0, warned: false, stderr: "" });
    const dependent = [
      prompt,
      message("m1", [{ id: "a" }]),
      message("m2", [{ ...call, id: "b" }]),
      message("m3", [{ id: "c" }]),
    ];
    assert.equal((await ask("warn", dependent, { id: "c" })).warned, false);
  });

  it("begins anew with each prompt and skips other tools, side conversations and a missing transcript", async () => {
    assert.equal((await ask("warn", [...single, prompt, message("m3", [{ id: "c" }])], { id: "c" })).warned, false);
    const aside = single.map((line) => JSON.stringify({ ...JSON.parse(line), isSidechain: true }));
    assert.equal((await ask("warn", aside, { id: "c" })).warned, false);
    using project = new TemporaryProject();
    project.configure("PreToolUse", [], { sequentialAgents: "block" });
    for (const tool_name of ["Task", "Bash"]) {
      const { json } = await project.answer("PreToolUse", { tool_name, transcript_path: "/nowhere" });
      assert.deepEqual(json, {});
    }
  });
});
