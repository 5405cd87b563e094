import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const COPPICE = fileURLToPath(new URL("../bin/coppice.js", import.meta.resolve("coppice")));

export interface Typed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `coppice …` as a list of words that can be started anywhere. */
export function commandLine(...args: readonly string[]): string[] {
  return [process.execPath, COPPICE, ...args];
}

/** The environment without settings of whoever runs the benchmark. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(COPPICE_|NODE_OPTIONS$)/.test(name));
  return Object.fromEntries(inherited);
}

/** Types `coppice …` in a folder. */
export function typed(cwd: string, args: readonly string[]): Promise<Typed> {
  const [program, ...words] = commandLine(...args);
  const child = spawn(program, words, { cwd, env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const { promise, resolve, reject } = Promise.withResolvers<Typed>();
  child.on("error", reject);
  child.on("close", (code) => resolve({ code, stdout, stderr }));
  return promise;
}
