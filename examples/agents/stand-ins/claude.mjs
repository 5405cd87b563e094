// Stands in for `claude -p`: see README.md for its sources.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fail, flagsOf, standardInput, work } from "./agent.mjs";

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

// A tool call that would have to be asked for is denied, and the run goes on.
const allowed = (flags["--allowedTools"] ?? "").split(/[ ,]+/);
const mayEdit = ["acceptEdits", "bypassPermissions"].includes(flags["--permission-mode"]) || allowed.includes("Edit");
const exhausted = Number(flags["--max-turns"] ?? 10) < 2 && !/review/i.test(prompt);
const text = exhausted ? undefined : work(prompt, mayEdit);
const outcome = {
  type: "result",
  subtype: exhausted ? "error_max_turns" : "success",
  is_error: exhausted,
  duration_ms: 1200,
  duration_api_ms: 900,
  num_turns: exhausted ? 1 : 3,
  ...(text === undefined ? {} : { result: text }),
  session_id: session,
  total_cost_usd: 0.0125,
  usage: { input_tokens: 120, cache_creation_input_tokens: 0, cache_read_input_tokens: 1000, output_tokens: 30 },
};
process.stdout.write(
  flags["--output-format"] === "json" ? `${JSON.stringify(outcome)}\n` : `${text ?? "Error: Reached max turns"}\n`,
);
process.exit(exhausted ? 1 : 0);
