// Stands in for `gemini -p`: see README.md for its sources.
import { fail, flagsOf, isOverLimit, standardInput, work } from "./agent.mjs";

const { flags, rest } = flagsOf(process.argv.slice(2), {
  valued: ["-p", "--prompt", "--output-format", "-o", "--approval-mode", "-m", "--model"],
  plain: ["-y", "--yolo", "-s", "--sandbox"],
  wrongUsage: 42,
});
const prompt = [flags["-p"] ?? flags["--prompt"] ?? rest.join(" "), standardInput()].join("\n").trim();
if (prompt === "") fail("No input provided via stdin or --prompt.", 42);
// What would have to be asked for is denied where nobody can be asked.
const mayEdit =
  flags["-y"] === true || flags["--yolo"] === true || ["auto_edit", "yolo"].includes(flags["--approval-mode"]);
const json = (flags["--output-format"] ?? flags["-o"]) === "json";
if (isOverLimit(prompt)) {
  const error = { type: "FatalTurnLimitedError", message: "Reached max session turns.", code: 53 };
  if (json) process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
  fail(error.message, error.code);
}
const response = work(prompt, mayEdit);
const tokens = { prompt: 300, candidates: 20, total: 350, cached: 0, thoughts: 30, tool: 0 };
const stats = { models: { "gemini-pro": { api: { totalRequests: 2, totalErrors: 0, totalLatencyMs: 900 }, tokens } } };
process.stdout.write(json ? `${JSON.stringify({ response, stats }, null, 2)}\n` : `${response}\n`);
