import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { alternate } from "../measure.ts";
import type { HooksProject } from "./hooks-project.ts";

/** Milliseconds of every round, by the way in which an agent has an event answered. */
export type WayFigures = Readonly<Record<"sources" | "bundle" | "daemon" | "http", readonly number[]>>;

const EVENT = "UserPromptSubmit";

/**
 * The whole way of an event, from the agent's decision to its answer: a process per event from the sources, from the
 * bundle, what `install` writes with a daemon running, and posted to the daemon without a process.
 */
export class Ways {
  readonly #project: HooksProject;
  readonly #bundle: string;
  readonly #port: number;
  readonly #token: string;
  readonly #end: () => void;

  static async open(project: HooksProject, bundle: string): Promise<Ways> {
    const code = `import { HooksDaemon, listenHttp, meetingPlace } from "@coppice/hooks";
const daemon = await HooksDaemon.start(meetingPlace(process.env));
const { port } = await listenHttp(daemon, 0, process.env);
process.stdout.write(JSON.stringify({ port, token: daemon.token }) + "\\n");`;
    const daemon = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: import.meta.dirname,
      env: project.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface({ input: daemon.stdout }), "line")) as [string];
    const { port, token } = JSON.parse(line) as { readonly port: number; readonly token: string };
    return new Ways(project, bundle, port, token, () => daemon.kill("SIGKILL"));
  }

  private constructor(project: HooksProject, bundle: string, port: number, token: string, end: () => void) {
    this.#project = project;
    this.#bundle = bundle;
    this.#port = port;
    this.#token = token;
    this.#end = end;
  }

  /** Measures what is configured now, ways alternating. The command that `install` writes is started as agents do it, by a shell. */
  measure(rounds: number): Promise<WayFigures> {
    const command = this.#project.install(EVENT, this.#bundle);
    const sources = fileURLToPath(new URL("./run-entry.ts", import.meta.resolve("coppice/hooks/bundle")));
    const start = (file: string, ...more: readonly string[]) =>
      this.#project.time(process.execPath, [file, "hooks", "run", EVENT, ...more]);
    return alternate(rounds, {
      sources: () => start(sources, "--no-daemon"),
      bundle: () => start(this.#bundle, "--no-daemon"),
      daemon: () => this.#project.time("/bin/sh", ["-c", command]),
      http: () => this.#post(),
    });
  }

  close(): void {
    this.#end();
  }

  async #post(): Promise<number> {
    const body = JSON.stringify({ session_id: "bench", cwd: this.#project.dir, prompt: "p" });
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    const began = performance.now();
    const call = request({ host: "127.0.0.1", port: this.#port, path: `/hooks/${EVENT}`, method: "POST", headers });
    call.end(body);
    const [response] = await once(call, "response");
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const took = performance.now() - began;
    if (response.statusCode !== 200)
      throw new Error(`the daemon answered ${response.statusCode}: ${Buffer.concat(chunks)}`);
    return took;
  }
}
