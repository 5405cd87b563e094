// Applies an idea to the project: node tools/apply-idea.mjs <idea.md>
// An idea holds its change as a fenced block, a patch or a shell script. A coding agent would stand here instead.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const text = readFileSync(process.argv[2], "utf8");
const [, language, body] = /```(patch|sh)\n([\s\S]*?)```/.exec(text) ?? [];
if (language === undefined) {
  console.error("the idea holds neither a patch nor a script");
  process.exit(1);
}
const [program, ...rest] = language === "patch" ? ["git", "apply", "--recount", "-"] : ["sh", "-e"];
execFileSync(program, rest, { input: body, stdio: ["pipe", "inherit", "inherit"] });
