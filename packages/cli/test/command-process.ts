import { type ChildProcess, fork } from "node:child_process";
import type { CommandCall } from "./command-server.ts";
import type { Ended } from "./coppice.ts";

/** The process that runs this test file's lines one after another. It is started with the first and goes with the file. */
let server: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/** Runs a line after those before it. A line that ends the process, as a crash would, is answered with how it ended. */
export function runInCommandProcess(call: CommandCall, environment: NodeJS.ProcessEnv): Promise<Ended> {
  const answer = last.then(() => answerOf(call, environment));
  last = answer.catch(() => {});
  return answer;
}

function answerOf(call: CommandCall, environment: NodeJS.ProcessEnv): Promise<Ended> {
  server ??= startServer(environment);
  const child = server;
  child.ref();
  child.channel?.ref();
  return new Promise<Ended>((resolve, reject) => {
    const settle = (outcome: () => void) => {
      child.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
      child.channel?.unref();
      child.unref();
      outcome();
    };
    child.once("message", (ended) => settle(() => resolve(ended as Ended)));
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (code, signal) => {
      server = undefined;
      settle(() => reject(new Error(`coppice ${call.args.join(" ")} ended its process: ${code ?? signal}`)));
    });
    child.send(call);
  });
}

function startServer(environment: NodeJS.ProcessEnv): ChildProcess {
  return fork(new URL("./command-server.ts", import.meta.url), {
    env: environment,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}
