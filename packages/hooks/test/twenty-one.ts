import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { TemporaryProject } from "./temporary-project.ts";

const FIXTURE = join(dirname(fileURLToPath(import.meta.url)), "twenty-one");

/** The file that names the last commit. */
const HEAD = "refs/heads/main";

/** A project with 21 real hooks on UserPromptSubmit that share state files, one of which commits everything. */
export class TwentyOneHooks extends TemporaryProject {
  constructor() {
    super();
    Object.assign(this.env, {
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "fixture",
      GIT_AUTHOR_EMAIL: "fixture@example.org",
      GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
      GIT_COMMITTER_NAME: "fixture",
      GIT_COMMITTER_EMAIL: "fixture@example.org",
      GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
    });
    cpSync(join(FIXTURE, "hooks"), join(this.dir, ".claude/hooks"), { recursive: true });
    for (const file of globSync("*.sh", { cwd: join(this.dir, ".claude/hooks") })) {
      chmodSync(join(this.dir, ".claude/hooks", file), 0o755);
    }
    for (const file of ["settings.json", "coppice-hooks.json"])
      cpSync(join(FIXTURE, file), join(this.dir, ".claude", file));
    this.write(`${this.home}/.claude/memory/session_s1_state.json`, '{"turn_count":41}\n');
    this.write("src/main.txt", "work\n");
    this.reset();
  }

  /** Puts state files and history back to the beginning. */
  reset(): void {
    rmSync(join(this.dir, ".claude/memory"), { recursive: true, force: true });
    rmSync(join(this.dir, "scratch"), { recursive: true, force: true });
    this.write(".claude/memory/synapses.json", '{"spark":["a","b"]}\n');
    this.write(".claude/memory/lessons.md", "measure before you change\n");
    this.write(".claude/memory/scratch_index.json", '{"notes":7}\n');
    this.write(".claude/memory/confidence_state.json", '{"confidence":61,"current_confidence":58}\n');
    this.write(".claude/memory/session_s1_state.json", '{"turn_count":3,"confidence":70}\n');
    this.write("scratch/idea.md", "# idea\n");
    this.write("scratch/old.tmp", "old\n");
    const git = join(this.dir, ".git");
    const spare = join(this.root, "git-at-start");
    if (statSync(spare, { throwIfNoEntry: false }) === undefined) {
      for (const args of [
        ["init", "-q", "-b", "main", "--template="],
        ["add", "-A"],
        ["commit", "-q", "-m", "start"],
      ])
        this.git(args);
      cpSync(git, spare, { recursive: true });
    } else if (readFileSync(join(git, HEAD), "latin1") !== readFileSync(join(spare, HEAD), "latin1")) {
      rmSync(git, { recursive: true, force: true });
      cpSync(spare, git, { recursive: true });
    }
  }

  git(args: readonly string[]): string {
    return execFileSync("git", args, { cwd: this.dir, env: this.env, encoding: "utf8" });
  }

  /** Every file of project and home with its bytes, and the commit everything ended in. */
  snapshot(): Readonly<Record<string, string>> {
    const files = globSync("{project,home}/**/{*,.*}", {
      cwd: this.root,
      exclude: (path) => path.endsWith(".git") || path.endsWith(".coppice"),
    })
      .filter((path) => statSync(join(this.root, path)).isFile())
      .sort();
    const texts = files.map((path) => [path, readFileSync(join(this.root, path), "latin1")]);
    return { ...Object.fromEntries(texts), HEAD: readFileSync(join(this.dir, ".git", HEAD), "latin1") };
  }
}
