import { spawn } from "node:child_process";
import { createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { EvaluatorName, PoolFactory, PoolJob } from "../src/pools.ts";
import {
  type CarriedJob,
  type CrewOptions,
  carriedJob,
  crewPool,
  FrameReader,
  type FromWorker,
  frame,
  type LastStart,
  type LinkEvents,
  monotonicMs,
  type WorkerLink,
} from "../src/worker.ts";

/** What a worker is told first. */
export interface Start extends CarriedJob {
  readonly evaluatorName?: EvaluatorName;
}

/** What a worker says over its socket: who it is, that it begins a task, or a message to its pool. */
export type Saying = { readonly hello: { readonly pid: number; readonly pidStart: string } } | "begins" | FromWorker;

/**
 * A pool as another package would make it, of the engine's entries alone (`@coppice/engine` and `/worker`): each worker is
 * a program that calls back over a socket and says that it is on another machine. It finds the evaluator by its name.
 */
export function elsewhere(options: CrewOptions = {}): PoolFactory {
  return crewPool("elsewhere", options, startElsewhere);
}

function startElsewhere(job: PoolJob, mark: string, events: LinkEvents): WorkerLink {
  let worker = { pid: 0, pidStart: "" };
  let last: LastStart = { started: 0, atMs: 0 };
  let socket: Socket | undefined;
  let ended = false;
  let dying = {};
  const server = createServer((connected) => {
    server.close();
    socket = connected;
    const reader = new FrameReader((received) => {
      // Cast: frames come from the program below.
      const saying = received as Saying;
      if (saying === "begins") last = { started: last.started + 1, atMs: monotonicMs() };
      else if ("hello" in saying) worker = saying.hello;
      else if (saying[0] === "dying") dying = { reason: saying[1], stack: saying[2] };
      else events.message(saying);
    });
    connected.on("data", (piece) => reader.push(piece));
    connected.on("error", () => {});
    // Where the module is on this machine means nothing on another.
    const evaluatorName = job.evaluatorName?.();
    const away = evaluatorName === undefined ? job : { ...job, evaluatorUrl: "" };
    connected.write(
      frame({ ...carriedJob(away), ...(evaluatorName === undefined ? {} : { evaluatorName }) } satisfies Start),
    );
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const program = fileURLToPath(new URL("./elsewhere-worker.ts", import.meta.url));
    const child = spawn(process.execPath, [program, String(port)], {
      stdio: "ignore",
      env: { ...process.env, COPPICE_RUN_TOKEN: mark },
    });
    kill = () => void child.kill("SIGKILL");
    if (ended) kill();
    child.on("exit", (exitCode, signal) => {
      const end = { reason: `ended with exit code ${exitCode ?? signal}`, ...(exitCode !== null && { exitCode }) };
      const over = () => events.ended({ ...end, ...dying });
      // What it has said before it ended may still be on its way.
      if (socket === undefined || socket.closed) over();
      else socket.once("close", over);
      server.close();
    });
  });
  let kill = () => {
    ended = true;
  };
  return {
    get pid() {
      return worker.pid;
    },
    get pidStart() {
      return worker.pidStart;
    },
    host: "moon",
    post: (message) => void socket?.write(frame(message)),
    lastStart: () => last,
    kill: () => kill(),
  };
}
