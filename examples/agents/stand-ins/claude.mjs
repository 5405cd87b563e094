// Stands in for `claude -p`: see README.md for its sources.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { answer, fail, flagsOf, isOverLimit, standardInput, work } from "./agent.mjs";

const { flags, rest } = flagsOf(process.argv.slice(2), {
  valued: [
    "--output-format",
    "--permission-mode",
    "--allowedTools",
    "--disallowedTools",
    "--max-turns",
    "--resume",
    "-r",
    "--model",
    "--append-system-prompt",
  ],
  plain: ["-p", "--print", "--fork-session", "--verbose"],
});
if (flags["-p"] !== true && flags["--print"] !== true) fail("Error: this stand-in only knows print mode", 1);
const prompt = [rest.join(" "), standardInput()].join("\n").trim();
if (prompt === "")
  fail("Error: Input must be provided either through stdin or as a prompt argument when using --print", 1);

// Sessions belong to the folder they were begun in.
const projects = join(
  process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), ".claude"),
  "projects",
  createHash("sha256").update(process.cwd()).digest("hex").slice(0, 16),
);
const before = flags["--resume"] ?? flags["-r"];
if (before !== undefined && !existsSync(join(projects, `${before}.jsonl`)))
  fail(`No conversation found with session ID: ${before}`, 1);
const session = before === undefined || flags["--fork-session"] === true ? randomUUID() : before;
mkdirSync(projects, { recursive: true });
writeFileSync(join(projects, `${session}.jsonl`), "");

// Ended by a signal it prints nothing.
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

// A tool call that would have to be asked for is denied, and the run goes on.
const allowed = (flags["--allowedTools"] ?? "").split(/[ ,]+/);
const mayEdit = ["acceptEdits", "bypassPermissions"].includes(flags["--permission-mode"]) || allowed.includes("Edit");
const turns = Number(flags["--max-turns"] ?? Number.POSITIVE_INFINITY);
const isExhausted = turns < 2 && !/review/i.test(prompt);
const usage = { input_tokens: 120, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000, output_tokens: 30 };
const outcome = isExhausted
  ? {
      subtype: "error_max_turns",
      is_error: true,
      num_turns: turns + 1,
      errors: [`Reached maximum number of turns (${turns})`],
      total_cost_usd: 0.0125,
      usage,
    }
  : isOverLimit(prompt)
    ? // What the model's interface refuses is a result like any other but for is_error, and the program ends well.
      {
        subtype: "success",
        is_error: true,
        num_turns: 1,
        result: "API Error: Rate limit reached",
        stop_reason: "stop_sequence",
        total_cost_usd: 0,
        usage: { ...usage, input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
      }
    : {
        subtype: "success",
        is_error: false,
        num_turns: 3,
        result: work(prompt, mayEdit),
        total_cost_usd: 0.0125,
        usage,
      };
const printed = { type: "result", duration_ms: 1200, duration_api_ms: 900, session_id: session, ...outcome };
const text = outcome.result ?? `Error: Reached max turns (${turns})`;
answer(prompt, `${flags["--output-format"] === "json" ? JSON.stringify(printed) : text}\n`);
process.exitCode = isExhausted ? 1 : 0;
