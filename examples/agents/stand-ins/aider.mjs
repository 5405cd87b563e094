// Stands in for `aider --message-file`: see README.md for its sources.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fail, flagsOf, work } from "./agent.mjs";

const { flags } = flagsOf(process.argv.slice(2), {
  valued: ["--message", "-m", "--message-file", "-f", "--model"],
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
const prompt = flags["--message"] ?? flags["-m"] ?? (file === undefined ? "" : readFileSync(file, "utf8"));
if (prompt === "") fail("this stand-in only knows --message and --message-file", 2);
// It asks before it edits, unless it is told that the answer is yes.
const text = work(prompt, flags["--yes"] === true || flags["--yes-always"] === true);
process.stdout.write(
  `Aider v0.86.0\nModel: a-model with diff edit format\n\n${text}\n\nTokens: 2.1k sent, 85 received. Cost: $0.0080 message, $0.0080 session.\n`,
);
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
