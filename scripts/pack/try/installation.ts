import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** An empty folder outside the clone with some of the tarballs installed, and programs run there. */
export class Installation {
  readonly root = mkdtempSync(join(tmpdir(), "coppice-try-"));
  /** Whose settings and caches programs find: nobody's. */
  readonly #home = join(this.root, "home");

  constructor(tarballs: readonly string[]) {
    mkdirSync(this.#home);
    this.write("package.json", JSON.stringify({ name: "own-project", private: true, type: "module" }));
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--ignore-scripts"];
    const done = spawnSync("npm", ["install", ...quiet, ...tarballs], { cwd: this.root, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`npm install failed: ${done.stderr}`);
  }

  write(path: string, text: string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** Runs a program on that Node, with an environment of its own. */
  run(node: string, args: readonly string[], { input = "", env = {} as Readonly<Record<string, string>> } = {}): Ended {
    const done: SpawnSyncReturns<string> = spawnSync(node, args, {
      cwd: this.root,
      env: this.environment(node, env),
      input,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  }

  environment(node: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const PATH = [dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter);
    return { PATH, HOME: this.#home, XDG_RUNTIME_DIR: this.#home, ...more };
  }

  /** Runs `coppice …` as npm installed it. */
  coppice(node: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
    return this.run(node, [this.program, ...args], { env });
  }

  get program(): string {
    return join(this.root, "node_modules", "coppice", "bin", "coppice.js");
  }

  /** The digests of the runs in a directory, by name of the run. */
  digests(runs: string): Readonly<Record<string, string>> {
    const files = globSync("*/result.json", { cwd: join(this.root, runs) }).sort();
    return Object.fromEntries(
      files.map((file) => [dirname(file), JSON.parse(readFileSync(join(this.root, runs, file), "utf8")).digest]),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
