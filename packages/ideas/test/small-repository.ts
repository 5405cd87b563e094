import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gitEnvironment } from "../src/git/run-git.ts";

/** Repositories as they begin, by their files: a copy takes less than the five calls of git that make one. */
const templates = new Map<string, string>();

/** Keeps a copy until this process ends. */
function keep(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  cpSync(path, folder, { recursive: true });
  return folder;
}

/** A repository of a few files in a folder with a blank in its name; removed with everything beside it. */
export class SmallRepository {
  /** The folder that holds the repository and whatever a test puts beside it. */
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "coppice ideas-")));
  readonly path = join(this.folder, "the repository");

  constructor(files: Readonly<Record<string, string>> = { "value.txt": "1\n" }) {
    const name = JSON.stringify(files);
    const made = templates.get(name);
    if (made !== undefined) {
      cpSync(made, this.path, { recursive: true });
      return;
    }
    mkdirSync(this.path);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "A Person");
    this.git("config", "user.email", "person@example.org");
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.commit("Begin");
    templates.set(name, keep(this.path));
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.path, encoding: "utf8", env: gitEnvironment(), stdio: "pipe" }).trim();
  }

  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  commit(message: string): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
    return this.head;
  }

  get head(): string {
    return this.git("rev-parse", "HEAD");
  }

  /** Every branch, sorted. */
  get branches(): string[] {
    return this.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
  }

  /** Folders of every worktree but the main one. */
  get worktrees(): string[] {
    const listing = this.git("worktree", "list", "--porcelain").split("\n");
    return listing.flatMap((line) => (line.startsWith("worktree ") ? [line.slice(9)] : [])).slice(1);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
