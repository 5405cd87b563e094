// Runs `coppice …` lines one after another in one process: starting it once is what makes many of them cheap to test.
import { runCommandLine } from "../src/command-line.ts";

export interface CommandCall {
  readonly directory: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const inherited = { ...process.env };
const printed = { stdout: "", stderr: "" };

// Every line listens for a reader that goes away, and for signals.
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);

for (const name of ["stdout", "stderr"] as const) {
  process[name].write = (text: string | Uint8Array, ...rest: unknown[]) => {
    printed[name] += typeof text === "string" ? text : Buffer.from(text).toString();
    for (const written of rest) if (typeof written === "function") process.nextTick(written);
    return true;
  };
}

process.on("message", async ({ directory, args, environment }: CommandCall) => {
  printed.stdout = "";
  printed.stderr = "";
  process.chdir(directory);
  setEnvironment({ ...inherited, ...environment });
  await runCommandLine(args);
  // What a worker printed last arrives in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  // The directory may be removed now.
  process.chdir("/");
  process.send?.({ code, ...printed });
});
process.on("disconnect", () => process.exit(0));

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name];
  Object.assign(process.env, environment);
}
