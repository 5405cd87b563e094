// Stands in for `codex exec`: see README.md for its sources.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { answer, fail, flagsOf, isOverLimit, standardInput, work } from "./agent.mjs";

const [command, ...args] = process.argv.slice(2);
if (command !== "exec") fail("error: this stand-in only knows exec", 2);
const { flags, rest } = flagsOf(args, {
  valued: ["--sandbox", "-s", "--cd", "-C", "--model", "-m", "--output-last-message", "-o", "--config", "-c"],
  plain: ["--json", "--skip-git-repo-check", "--ephemeral"],
  wrongUsage: 2,
});
const resumed = rest[0] === "resume" ? rest[1] : undefined;
const said = resumed === undefined ? rest : rest.slice(2);
// What is piped in beside a prompt is its context.
const prompt = [said[0] === "-" ? "" : said.join(" "), standardInput()].join("\n").trim();
if (prompt === "") fail("No prompt provided via stdin.", 1);

// Sessions belong to the user, whatever folder they were begun in.
const sessions = join(process.env.CODEX_HOME ?? join(homedir(), ".codex"), "sessions");
const thread = resumed ?? randomUUID();
if (resumed !== undefined && !existsSync(join(sessions, thread)))
  fail(`Error: thread/resume: thread/resume failed: no rollout found for thread id ${thread} (code -32600)`, 1);
mkdirSync(sessions, { recursive: true });
writeFileSync(join(sessions, thread), "");
const json = flags["--json"] === true;
const lines = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
if (json) process.stdout.write(lines([{ type: "thread.started", thread_id: thread }, { type: "turn.started" }]));
process.stderr.write("codex: working\n");
// Interrupted, the turn is given up without an event of its own, and it ends well.
process.on("SIGINT", () => process.exit(0));

// Read-only unless it is told otherwise: what it would write is refused, and the turn goes on.
const sandbox = flags["--sandbox"] ?? flags["-s"] ?? "read-only";
const text = isOverLimit(prompt) ? undefined : work(prompt, sandbox !== "read-only");
const message = "You've hit your usage limit.";
const outcome =
  text === undefined
    ? [
        { type: "error", message },
        { type: "turn.failed", error: { message } },
      ]
    : [
        { type: "item.completed", item: { id: "item_0", type: "reasoning", text: "Looking at the value." } },
        { type: "item.completed", item: { id: "item_1", type: "agent_message", text } },
        { type: "turn.completed", usage: { input_tokens: 240, cached_input_tokens: 100, output_tokens: 40 } },
      ];
answer(prompt, json ? lines(outcome) : `${text ?? message}\n`);
process.exitCode = text === undefined ? 1 : 0;
