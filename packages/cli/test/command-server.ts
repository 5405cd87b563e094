// Runs `coppice …` lines one after another in one process: starting it once is what makes many of them cheap to test.
import { runCommandLine } from "../src/command-line.ts";

export interface CommandCall {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface CommandResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Every line listens for a reader that goes away.
process.stdout.setMaxListeners(0);

process.on("message", async ({ args, environment }: CommandCall) => {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  const before = { ...process.env };
  Object.assign(process.env, environment);
  await runCommandLine(args);
  for (const name of Object.keys(environment)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  const result: CommandResult = { status: Number(process.exitCode ?? 0), ...printed };
  process.exitCode = 0;
  process.send?.(result);
});
