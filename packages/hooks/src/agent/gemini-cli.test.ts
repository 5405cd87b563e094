import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { changesToInstall } from "../install/install-entries.ts";
import { placesOf } from "../settings/scopes.ts";
import { stageEvent } from "../staging/stage-event.ts";
import { knownAgents } from "./known-agents.ts";

/** A project of Gemini CLI, as its hooks see it: its variable, and the other agent's as the alias that it also sets. */
class GeminiProject extends TemporaryProject {
  constructor(hooks: object, declare: object = {}) {
    super();
    Object.assign(this.env, { GEMINI_PROJECT_DIR: this.dir, CLAUDE_PROJECT_DIR: this.dir });
    this.write(".gemini/settings.json", JSON.stringify({ hooks }));
    this.write(".gemini/coppice-hooks.json", JSON.stringify({ declare }));
    // Hooks of the other agent in the same project are none of its business.
    this.configure("SessionStart", [{ command: "echo from the other agent" }]);
  }

  script(name: string, body: string): string {
    this.write(`.gemini/hooks/${name}`, `#!/bin/sh\n${body}\n`);
    return `$GEMINI_PROJECT_DIR/.gemini/hooks/${name}`;
  }
}

const command = (name: string, line: string, more: object = {}) => ({ type: "command", name, command: line, ...more });
const said = (document: object) => `echo '${JSON.stringify(document)}'`;

describe("hooks of Gemini CLI", () => {
  it("are read from its own settings, with its matchers and its milliseconds", async () => {
    using project = new GeminiProject({
      BeforeTool: [
        {
          matcher: "write_.*|replace",
          hooks: [command("guard", "true", { timeout: 2500 }), command("plain", "true ")],
        },
        { matcher: "read_file", hooks: [command("reader", "true  ")] },
      ],
    });
    const places = placesOf(project.dir, project.env);
    const { staging, problems } = await stageEvent("BeforeTool", { tool_name: "write_file" }, places);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      staging.hooks.map(({ name, timeoutMs }) => [name, timeoutMs]),
      [
        ["guard", 2500],
        ["plain", 60_000],
      ],
    );
  });

  it("run the project's before the user's, at once where they may, to one answer in list order", async () => {
    const touchesNothing = { reads: [], writes: [] };
    using project = new GeminiProject(
      {
        BeforeAgent: [
          {
            hooks: [
              command("slow", `sleep 0.2; ${said({ hookSpecificOutput: { additionalContext: "first" } })}`),
              command("fast", said({ hookSpecificOutput: { additionalContext: "second" } })),
            ],
          },
        ],
      },
      { slow: touchesNothing, fast: touchesNothing },
    );
    const home = { hooks: { BeforeAgent: [{ hooks: [command("mine", "echo just a text")] }] } };
    project.write(join(project.home, ".gemini/settings.json"), JSON.stringify(home));
    const { staging } = await stageEvent("BeforeAgent", {}, placesOf(project.dir, project.env));
    assert.deepEqual(
      staging.stages.map((stage) => stage.map((index) => staging.hooks[index].name)),
      [["slow", "fast"], ["mine"]],
    );
    const { json } = await project.answer("BeforeAgent", { prompt: "hi" });
    // Plain text is not context for this agent.
    assert.deepEqual(json, {
      hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "first\nsecond" },
    });
  });

  it("hold a tool back by exit code 2, and by both of its words", async () => {
    using project = new GeminiProject({});
    const guard = project.script("guard.sh", 'cat > "$GEMINI_PROJECT_DIR/seen"; echo "not that file" >&2; exit 2');
    const use = (...hooks: readonly object[]) =>
      project.write(".gemini/settings.json", JSON.stringify({ hooks: { BeforeTool: [{ hooks }] } }));
    const input = { tool_name: "write_file", tool_input: { file_path: ".env" } };
    use(command("guard", guard));
    const blocked = await project.answer("BeforeTool", input);
    assert.deepEqual([blocked.exitCode, blocked.stderr], [2, "not that file\n"]);
    // The hook has read the event as the agent wrote it.
    assert.deepEqual(JSON.parse(project.read("seen")).tool_input, input.tool_input);
    for (const word of ["deny", "block"]) {
      use(command("guard", said({ decision: word, reason: "no" })), command("other", said({ decision: "allow" })));
      const { json, exitCode } = await project.answer("BeforeTool", input);
      assert.deepEqual([exitCode, json.decision, json.reason], [0, "block", "no"], word);
    }
    // In the other agent's event the word means nothing, as there.
    project.configure("Stop", [command("x", said({ decision: "deny", reason: "no" }))]);
    const { GEMINI_PROJECT_DIR: _, ...env } = project.env;
    assert.equal((await project.answer("Stop", {}, { env })).json.decision, undefined);
  });

  it("rewrite a tool's input in its own field, and two that differ are named instead", async () => {
    const rewrite = (path: string) => said({ hookSpecificOutput: { tool_input: { file_path: path } } });
    using project = new GeminiProject({ BeforeTool: [{ hooks: [command("a", rewrite("x"))] }] });
    const input = { tool_name: "write_file", tool_input: { file_path: "y" } };
    const one = await project.answer("BeforeTool", input);
    assert.deepEqual(one.json.hookSpecificOutput, { hookEventName: "BeforeTool", tool_input: { file_path: "x" } });
    const both = { BeforeTool: [{ hooks: [command("a", rewrite("x")), command("b", rewrite("z"))] }] };
    project.write(".gemini/settings.json", JSON.stringify({ hooks: both }));
    const two = await project.answer("BeforeTool", input);
    assert.equal(two.json.hookSpecificOutput, undefined);
    assert.match(two.json.systemMessage ?? "", /a and b give different values for tool_input/);
  });

  it("are not installed for: what install writes is the other agent's", () => {
    using project = new GeminiProject({});
    const request = {
      scopes: ["project"],
      program: { node: "node", file: "x" },
      rules: false,
      assumeIndependent: false,
    } as const;
    assert.throws(
      () => changesToInstall(placesOf(project.dir, project.env), request),
      /install writes settings of Claude Code; for Gemini CLI/,
    );
  });
});

describe("what agents publish", () => {
  it("is said once: an event that two agents have is about the same field, and holds back only what is known", () => {
    for (const agent of knownAgents) {
      for (const other of knownAgents) {
        for (const [event, field] of Object.entries(agent.subjects)) {
          if (Object.hasOwn(other.subjects, event)) assert.equal(other.subjects[event], field, event);
          assert.ok(!other.withoutSubject.includes(event), event);
        }
      }
      const events = [...Object.keys(agent.subjects), ...agent.withoutSubject];
      for (const event of [...agent.holdingBack, ...agent.textIsContext]) assert.ok(events.includes(event), event);
    }
  });
});
