import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Copies the project to a folder and commits it there, always as the same commit; gives the commit. */
export function makeProject(folder: string): string {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: give a new folder`);
  cpSync(fileURLToPath(new URL("project", import.meta.url)), folder, { recursive: true });
  const who = { NAME: "A Packer", EMAIL: "packer@example.org", DATE: "2026-01-05T08:00:00Z" };
  const env = { ...process.env };
  for (const role of ["AUTHOR", "COMMITTER"]) {
    for (const [field, value] of Object.entries(who)) env[`GIT_${role}_${field}`] = value;
  }
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--no-gpg-sign", "--message", "Pack parcels");
  return git("rev-parse", "HEAD").trim();
}

const [, program, folder] = process.argv;
if (program !== undefined && resolve(program) === fileURLToPath(import.meta.url)) {
  if (folder === undefined) {
    console.error("usage: npx node examples/idea-tree/make-project.ts <new folder>");
    process.exit(2);
  }
  try {
    makeProject(folder);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
  console.log(`made ${folder}; now: cd ${folder} && npx coppice tree run`);
}
