// Stands in for `aider --message-file`: see README.md for its sources.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { answer, fail, flagsOf, isOverLimit, work } from "./agent.mjs";

const { flags } = flagsOf(process.argv.slice(2), {
  valued: ["--message", "--msg", "-m", "--message-file", "-f", "--model"],
  plain: [
    "--yes",
    "--yes-always",
    "--no-auto-commits",
    "--no-dirty-commits",
    "--no-stream",
    "--no-pretty",
    "--no-gitignore",
    "--no-check-update",
  ],
  wrongUsage: 2,
});
const file = flags["--message-file"] ?? flags["-f"];
const message = flags["--message"] ?? flags["--msg"] ?? flags["-m"];
const prompt = message ?? (file === undefined ? "" : readFileSync(file, "utf8"));
if (prompt === "") fail("this stand-in only knows --message and --message-file", 2);

process.stdout.write("Aider v0.86.0\nModel: a-model with diff edit format\n\n");
// An error of the model's interface is tried again for a minute, printed each time; then it ends, and ends well.
const refusal =
  "litellm.RateLimitError: RateLimitError: OpenAIException - Tokens per minute limit exceeded\nThe API provider has rate limited you. Try again later or check your quotas.\n";
if (isOverLimit(prompt)) {
  const delays = [0.2, 0.5, 1, 2, 4, 8, 16, 32];
  process.stdout.write(delays.map((seconds) => `${refusal}Retrying in ${seconds.toFixed(1)} seconds...\n`).join(""));
  process.stdout.write(`${refusal}\n`);
  process.exit(0);
}
if (/\bat the second try\b/.test(prompt)) process.stdout.write(`${refusal}Retrying in 0.2 seconds...\n`);
// Interrupted while the model answers, it edits nothing, says how to end it, and with --message has nothing more to do.
process.on("SIGINT", () => {
  process.stdout.write("\n\n^C again to exit\n\n");
  process.exit(0);
});
// It asks before it edits, unless it is told that the answer is yes.
const text = work(prompt, flags["--yes"] === true || flags["--yes-always"] === true);
const usage = "Tokens: 2.1k sent, 1.0k cache write, 85 received. Cost: $0.0080 message, $0.0080\nsession.";
answer(prompt, `${text}\n\n${usage}\nApplied edit to value.txt\n`);
if (flags["--no-auto-commits"] !== true) {
  execFileSync("git", [
    "-c",
    "user.name=aider",
    "-c",
    "user.email=aider@example.org",
    "commit",
    "--quiet",
    "--all",
    "--allow-empty",
    "--message",
    "feat: Set the value",
  ]);
}
