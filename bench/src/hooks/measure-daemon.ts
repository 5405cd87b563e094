import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connectToDaemon, meetingPlace } from "@coppice/hooks";
import { alternate } from "../measure.ts";
import type { HooksProject } from "./hooks-project.ts";

/** Milliseconds each. */
export interface DaemonFigures {
  /** One module hook in the daemon, and as the process it would otherwise be. */
  readonly warm: readonly number[];
  readonly asProcess: readonly number[];
  /** A whole event with the daemon's staging, and with one made for it. */
  readonly plannedThere: readonly number[];
  readonly plannedHere: readonly number[];
}

const HOOK = "export default (input) => ({ systemMessage: String(input.prompt).toUpperCase() });\n";
const SCRIPT = `const chunks = []; for await (const c of process.stdin) chunks.push(c);
console.log(JSON.stringify({ systemMessage: String(JSON.parse(Buffer.concat(chunks)).prompt).toUpperCase() }));\n`;

/** Calls a hook of one line again and again over the socket, each time as `run` would; then runs whole events. */
export async function measureDaemon(
  project: HooksProject,
  calls: number,
  rounds: number,
  runEvent: (...more: readonly string[]) => number,
): Promise<DaemonFigures> {
  const path = project.write("hooks/upper.mjs", HOOK);
  const script = project.write("hooks/upper-process.mjs", SCRIPT);
  const code = `import { HooksDaemon, meetingPlace } from "@coppice/hooks";
await HooksDaemon.start(meetingPlace(process.env)); process.stdout.write("ready\\n");`;
  const daemon = spawn(process.execPath, ["--input-type=module", "-e", code], {
    cwd: import.meta.dirname,
    env: project.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(daemon.stdout, "data");
    const client = await connectToDaemon(meetingPlace(project.env));
    if (client === undefined) throw new Error("the daemon cannot be reached");
    const input = JSON.stringify({ session_id: "bench", prompt: "hello" });
    const call = { input, cwd: project.dir, projectDir: project.dir, env: process.env };
    const never = new AbortController().signal;
    const warm: number[] = [];
    for (let i = 0; i < calls; i++) {
      const began = performance.now();
      const result = await client.callModule(path, call, 5000, never);
      if (result?.kind !== "replied" || !result.reply.stdout.includes("HELLO"))
        throw new Error("the hook did not answer");
      warm.push(performance.now() - began);
    }
    client.close();
    const asProcess = Array.from({ length: rounds }, () => {
      const began = performance.now();
      spawnSync(process.execPath, [script], { input, env: project.env });
      return performance.now() - began;
    });
    const whole = await alternate(rounds * 2, { there: () => runEvent(), here: () => runEvent("--no-daemon") });
    return { warm, asProcess, plannedThere: whole.there, plannedHere: whole.here };
  } finally {
    daemon.kill("SIGKILL");
  }
}
