import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { answerEvent, type EventCall } from "../src/run/answer-event.ts";
import { readEventInput } from "../src/run/event-input.ts";

const INDEX = new URL("../src/index.ts", import.meta.url).href;

/** A project, a home and nothing else, in a temporary directory. */
export class TemporaryProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "coppice-hooks-")));
  readonly dir = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: this.home,
    COPPICE_MANAGED_DIR: join(this.root, "managed"),
    XDG_RUNTIME_DIR: join(this.root, "runtime"),
  };

  constructor() {
    for (const dir of [this.dir, this.home]) mkdirSync(join(dir, ".claude"), { recursive: true });
    mkdirSync(join(this.root, "runtime"), { mode: 0o700 });
  }

  /** Writes a file of the project (or of `root`, for an absolute path); scripts are executable. */
  write(path: string, text: string): string {
    const file = path.startsWith("/") ? path : join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), "utf8");
  }

  /** Configures one event in the project's settings. */
  configure(event: string, hooks: readonly object[], options: object = {}): void {
    const entries = hooks.map((hook) => ({ type: "command", ...hook }));
    this.write(".claude/settings.json", JSON.stringify({ hooks: { [event]: [{ hooks: entries }] } }));
    this.write(".claude/coppice-hooks.json", JSON.stringify({ options }));
  }

  /** Answers an event in this process. */
  async answer(event: string, input: object = {}, call: Partial<EventCall> = {}): Promise<Answered> {
    const bytes = Buffer.from(JSON.stringify({ session_id: "s1", cwd: this.dir, hook_event_name: event, ...input }));
    const { merged, record } = await answerEvent({
      event,
      input: readEventInput(bytes),
      env: this.env,
      cwd: this.dir,
      project: this.dir,
      serial: false,
      signal: new AbortController().signal,
      daemon: "none",
      exitCodes: true,
      ...call,
    });
    record();
    return { ...merged, json: JSON.parse(merged.stdout) };
  }

  /** A daemon in a process of its own, so that it can be killed; it listens. */
  async startDaemon(): Promise<ChildProcess> {
    const code = `import { HooksDaemon, meetingPlace } from "${INDEX}";
await HooksDaemon.start(meetingPlace(process.env)); console.log("ready");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: this.dir,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    return child;
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What the agent would be told, with standard output already parsed. */
export interface Answered {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly systemMessage?: string;
    readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  };
}
