// Stands in for `aider --message-file`: see README.md for its sources.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const yes = flags["--yes"] === true || flags["--yes-always"] === true;

// What it leaves in the repository, whatever comes of it: its chat, and what it knows of the code. It asks whether git is
// to ignore all that, unless git does.
appendFileSync(".aider.chat.history.md", "\n# aider chat started at 2026-11-01 12:00:00\n\n");
if (yes && flags["--no-gitignore"] !== true && spawnSync("git", ["check-ignore", "-q", ".aider"]).status === 1) {
  appendFileSync(".gitignore", ".aider*\n");
}
mkdirSync(".aider.tags.cache.v4", { recursive: true });
writeFileSync(".aider.tags.cache.v4/cache.db", "");

if (message === undefined && file !== undefined && !existsSync(file)) {
  process.stdout.write(`Message file not found: ${file}\n`);
  process.exit(1);
}
const prompt = message ?? (file === undefined ? "" : readFileSync(file, "utf8"));
if (prompt === "") fail("this stand-in only knows --message and --message-file", 2);
if (message !== undefined) appendFileSync(".aider.input.history", `+${message}\n`);

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
// A limit of the model's own: what was sent counts, nothing is edited, and it ends well.
if (/\bbeyond your tokens\b/.test(prompt)) {
  process.stdout.write("\nTokens: 8.1k sent, 0 received. Cost: $0.02 message, $0.02 session.\n\n\n");
  process.stdout.write("Model a-model has hit a token limit!\nToken counts below are approximate.\n\n");
  process.stdout.write("Input tokens: ~8,100 of 8,000 -- possibly exhausted context window!\n");
  process.exit(0);
}
// Interrupted while the model answers, it edits nothing, says how to end it, and with --message has nothing more to do.
process.on("SIGINT", () => {
  process.stdout.write("\n\n^C again to exit\n\n");
  process.exit(0);
});
// It asks before it edits, unless it is told that the answer is yes.
const text = work(prompt, yes);
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
