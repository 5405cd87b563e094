// Stands in for `gemini -p`: see README.md for its sources.
import { randomUUID } from "node:crypto";
import { answer, fail, flagsOf, isOverLimit, standardInput, work } from "./agent.mjs";

const { flags, rest } = flagsOf(process.argv.slice(2), {
  valued: ["-p", "--prompt", "--output-format", "-o", "--approval-mode", "-m", "--model"],
  plain: ["-y", "--yolo", "-s", "--sandbox"],
  wrongUsage: 42,
});
const prompt = [flags["-p"] ?? flags["--prompt"] ?? rest.join(" "), standardInput()].join("\n").trim();
if (prompt === "") fail("No input provided via stdin or --prompt.", 42);
const json = (flags["--output-format"] ?? flags["-o"]) === "json";
const session_id = randomUUID();

/** An error goes to standard error, as JSON where JSON was asked for; standard output stays empty. */
function refuse(type, message, code) {
  const error = { type, message, code };
  fail(json ? JSON.stringify({ session_id, error }, null, 2) : message, code);
}
if (isOverLimit(prompt)) {
  // Each attempt that will be repeated is said; a quota that is used up is not tried again.
  process.stderr.write("Attempt 1 failed with status 429. Retrying with backoff...\n");
  refuse("TerminalQuotaError", "You have exhausted your daily quota on this model.", 1);
}
if (/\bbeyond your turns\b/.test(prompt)) {
  const advice = "Increase the number of turns by specifying maxSessionTurns in settings.json.";
  refuse("FatalTurnLimitedError", `Reached max session turns for this session. ${advice}`, 53);
}
// It tidies up and ends well, with nothing printed.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));

// What would have to be asked for is denied where nobody can be asked.
const mayEdit =
  flags["-y"] === true || flags["--yolo"] === true || ["auto_edit", "yolo"].includes(flags["--approval-mode"]);
const response = work(prompt, mayEdit);
const tokens = { prompt: 300, candidates: 20, total: 350, cached: 0, thoughts: 30, tool: 0 };
const stats = { models: { "gemini-pro": { api: { totalRequests: 2, totalErrors: 0, totalLatencyMs: 900 }, tokens } } };
answer(prompt, json ? JSON.stringify({ session_id, response, stats }, null, 2) : `${response}\n`);
