// Stands in for `gemini -p`: see README.md for its sources.
import { randomUUID } from "node:crypto";
import { answer, fail, flagsOf, isOverLimit, standardInput, work } from "./agent.mjs";

const { flags, rest } = flagsOf(process.argv.slice(2), {
  valued: ["-p", "--prompt", "--output-format", "-o", "--approval-mode", "-m", "--model"],
  plain: ["-y", "--yolo", "-s", "--sandbox", "--skip-trust"],
  wrongUsage: 42,
});
const json = (flags["--output-format"] ?? flags["-o"]) === "json";
const asked = flags["-p"] ?? flags["--prompt"];
const mode = flags["--approval-mode"];
const yolo = flags["-y"] === true || flags["--yolo"] === true;
if (asked !== undefined && rest.length > 0) fail("Cannot use both a positional prompt and --prompt (-p).", 42);
if (yolo && mode !== undefined) fail("Cannot use both --yolo (-y) and --approval-mode.", 42);
if (![undefined, "default", "auto_edit", "yolo", "plan"].includes(mode)) fail(`Invalid approval mode: ${mode}`, 42);
// Nobody can be asked whether a folder is to be trusted: one that is not known ends it, said as text whatever was asked for.
if (flags["--skip-trust"] !== true && process.env.GEMINI_CLI_TRUST_WORKSPACE !== "true") {
  fail("Gemini CLI is not running in a trusted directory. To proceed, use `--skip-trust`.", 55);
}
const prompt = [standardInput(), asked ?? rest.join(" ")].join("\n\n").trim();
if (prompt === "") fail("No input provided via stdin or --prompt.", 42);
const session_id = randomUUID();

/** An error goes to standard error, as JSON where JSON was asked for; standard output stays empty. */
function refuse(type, message, code, before = "") {
  const error = { type, message, code };
  fail(before + (json ? JSON.stringify({ session_id, error }, null, 2) : message), code);
}
if (isOverLimit(prompt)) {
  // Each attempt that will be repeated is said; a quota that is used up is not tried again.
  process.stderr.write("Attempt 1 failed with status 429. Retrying with backoff...\n");
  refuse("TerminalQuotaError", "You have exhausted your daily quota on this model.", 1);
}
if (/\bbeyond your turns\b/.test(prompt)) {
  const advice = "Increase the number of turns by specifying maxSessionTurns in settings.json.";
  refuse("FatalTurnLimitedError", `Reached max session turns for this session. ${advice}`, 53, "[ERROR] ");
}
// Ctrl-C at a terminal, where it reads the key itself; a signal is another matter (below).
if (/\bcancelled by a key\b/.test(prompt)) refuse("FatalCancellationError", "Operation cancelled.", 130, "[ERROR] ");
// It tidies up and ends well, with nothing printed.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));

// What would have to be asked for is denied where nobody can be asked.
const response = work(prompt, yolo || ["auto_edit", "yolo"].includes(mode));
const tokens = { input: 300, prompt: 300, candidates: 20, total: 350, cached: 0, thoughts: 30, tool: 0 };
const requests = { totalRequests: 2, totalErrors: 0, totalLatencyMs: 900 };
const totalDecisions = { accept: 0, reject: 0, modify: 0, auto_accept: 1 };
const stats = {
  // What each role of a model took is part of what the model took.
  models: { "gemini-pro": { api: requests, tokens, roles: { main: { ...requests, tokens } } } },
  tools: { totalCalls: 1, totalSuccess: 1, totalFail: 0, totalDurationMs: 20, totalDecisions, byName: {} },
  files: { totalLinesAdded: 1, totalLinesRemoved: 1 },
};
if (/\bsay nothing\b/.test(prompt)) {
  // A model that answers with nothing: it ends well, and the error is in what it prints.
  const message = "The model returned an empty text response.";
  const error = { type: "INVALID_STREAM", message };
  if (!json) process.stderr.write(`[ERROR] ${message}\n`);
  process.stdout.write(json ? JSON.stringify({ session_id, response: "", stats, error }, null, 2) : "\n");
  process.exit(0);
}
answer(prompt, json ? JSON.stringify({ session_id, response, stats }, null, 2) : `${response}\n`);
