import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { applyChanges } from "@coppice/engine/user-files";
import { changesToInstall, placesFor } from "@coppice/hooks";

/** A list of equal hooks: the command, and which of them write what others read. */
export interface HookList {
  readonly command: readonly string[];
  readonly stages: readonly number[];
}

/** A temporary project with its own home, in which whole commands are measured. */
export class HooksProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "coppice-bench-hooks-")));
  readonly dir = join(this.root, "project");
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: join(this.root, "home"),
    XDG_RUNTIME_DIR: join(this.root, "runtime"),
    COPPICE_MANAGED_DIR: join(this.root, "managed"),
    CLAUDE_PROJECT_DIR: this.dir,
  };

  constructor() {
    mkdirSync(join(this.root, "home"), { recursive: true });
    mkdirSync(join(this.root, "runtime"), { mode: 0o700 });
  }

  write(path: string, text: string): string {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Configures a list on one event: every stage after the first reads what the stage before wrote. */
  configure(event: string, { command, stages }: HookList): void {
    const hooks = stages.flatMap((count, stage) =>
      Array.from({ length: count }, (_, i) => ({
        type: "command",
        name: `h${stage}-${i}`,
        command: commandOf(command, stage, i).join(" "),
        reads: stage === 0 ? [] : [`out/${stage - 1}-*`],
        writes: [`out/${stage}-${i}`],
      })),
    );
    this.#configure(event, hooks);
  }

  /** The same list as modules that wait in the daemon's threads, or in those of the command. */
  configureModules(event: string, waitMs: number, stages: readonly number[]): void {
    const code = `export default () => new Promise((resolve) => setTimeout(resolve, ${waitMs}));\n`;
    const hooks = stages.flatMap((count, stage) =>
      Array.from({ length: count }, (_, i) => ({
        type: "command",
        name: `m${stage}-${i}`,
        command: `sleep 0.0000${stage}${i}`,
        module: this.write(`hooks/wait-${stage}-${i}.mjs`, code),
        reads: stage === 0 ? [] : [`out/${stage - 1}-*`],
        writes: [`out/${stage}-${i}`],
      })),
    );
    this.#configure(event, hooks);
  }

  #configure(event: string, hooks: readonly object[]): void {
    rmSync(join(this.dir, ".claude"), { recursive: true, force: true });
    this.write(".claude/settings.json", JSON.stringify({ hooks: { [event]: [{ hooks }] } }));
  }

  /** Installs a program for what is configured; returns the command that an agent now starts for the event. */
  install(event: string, file: string): string {
    const program = { node: process.execPath, file };
    const places = placesFor(this.dir, this.env);
    applyChanges(changesToInstall(places, { scopes: ["project"], program, rules: false, assumeIndependent: false }));
    const settings = JSON.parse(readFileSync(join(this.dir, ".claude", "settings.json"), "utf8"));
    return settings.hooks[event][0].hooks[0].command;
  }

  /** Milliseconds that a program takes from start to end, with an event on its standard input. */
  time(file: string, args: readonly string[]): number {
    const input = JSON.stringify({ session_id: "bench", cwd: this.dir, prompt: "p" });
    const began = performance.now();
    const done = spawnSync(file, args, { cwd: this.dir, env: this.env, input, stdio: ["pipe", "pipe", "pipe"] });
    const took = performance.now() - began;
    if (done.status !== 0) throw new Error(`${file} ${args.join(" ")} failed: ${done.stderr}`);
    return took;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The commands of a list as the bare runner takes them. */
export function bareStages({ command, stages }: HookList): string {
  return JSON.stringify(
    stages.map((count, stage) => Array.from({ length: count }, (_, i) => commandOf(command, stage, i))),
  );
}

/** The last argument only makes the commands different, because identical ones run once; to `sleep` it is next to nothing. */
function commandOf(command: readonly string[], stage: number, index: number): readonly string[] {
  return [...command, `0.0000${stage}${String(index).padStart(2, "0")}`];
}
