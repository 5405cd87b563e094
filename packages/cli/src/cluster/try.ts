import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clusterVariable, noRedisHere, PrivateRedis } from "@coppice/cluster";
import { JOURNAL_NAME } from "@coppice/engine/records";
import { type EndedSession, loadModule, prepareModule } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { journaled } from "../demo/kill-half-way.ts";
import { exitCode } from "../exit-code.ts";
import { print, printJson } from "../print.ts";
import { newRun, runLive } from "../session/live-run.ts";

const COPPICE = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));
const DEMO = fileURLToPath(import.meta.resolve("@coppice/search/heated-plate"));
const SEED = 1;
const GENERATIONS = 10;
/** So that it need not be waited for long until the dead worker is taken for dead. */
const PATIENCE_SECONDS = "3";
const LOOK_MS = 20;

/** A cluster on this machine, from nothing to nothing: two workers, one of them killed, and the digest of a run without them. */
export async function tryCluster({ json }: { readonly json?: boolean }): Promise<void> {
  const missing = noRedisHere();
  if (missing !== undefined) throw new UsageError(`there is ${missing}`);
  const say = (text: string): void => {
    if (json !== true) print(`${text}\n`);
  };
  const runs = mkdtempSync(join(tmpdir(), "coppice-cluster-"));
  const workers: Helper[] = [];
  const before = { ...process.env };
  const redis = await PrivateRedis.start();
  try {
    process.env[clusterVariable.redis] = redis.url;
    process.env[clusterVariable.patience] = PATIENCE_SECONDS;
    say("1. The demo's search, in this process alone.");
    const alone = await digestOf("alone", "inline", runs);
    say(`   ${alone}\n\n2. A Redis on port ${redis.port}, and two workers: coppice worker --redis ${redis.url}`);
    workers.push(await startHelper(redis.url, runs), await startHelper(redis.url, runs));
    say(
      `   pids ${workers.map(({ child }) => child.pid).join(" and ")}\n\n3. The same search through them; one is killed halfway.`,
    );
    const killing = killHalfWay(join(runs, "together", JOURNAL_NAME), workers[0], (done) =>
      say(`   ${done} evaluations are in the journal: SIGKILL for pid ${workers[0].child.pid}`),
    );
    const together = await digestOf("together", "cluster", runs);
    await killing;
    say(`   ${together}\n`);
    const same = alone === together;
    if (json === true) printJson({ same, alone, together });
    else
      say(
        same
          ? "The same digest. Nothing of this is left: the Redis and its workers have ended."
          : "The digests differ. That must not happen: please report it.",
      );
    if (!same) process.exitCode = exitCode.failed;
  } finally {
    process.env = before;
    await Promise.all(workers.map((worker) => endHelper(worker)));
    await redis[Symbol.asyncDispose]();
    rmSync(runs, { recursive: true, force: true });
  }
}

interface Helper {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown>;
}

async function startHelper(url: string, cache: string): Promise<Helper> {
  const args = ["worker", "--redis", url, "--concurrency", "1", "--cache-dir", join(cache, "cache")];
  const child = spawn(process.execPath, [COPPICE, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  const exit = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const lines = createInterface(child.stderr);
  const [first] = (await Promise.race([once(lines, "line"), exit])) as [unknown];
  if (typeof first !== "string") throw new Error("a worker could not be started");
  lines.resume();
  return { child, exit };
}

async function endHelper({ child, exit }: Helper): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  await Promise.race([exit, wait(10_000).then(() => child.kill("SIGKILL"))]);
}

async function killHalfWay(journal: string, { child }: Helper, tell: (done: number) => void): Promise<void> {
  while (journaled(journal) < (GENERATIONS * 20) / 2) await wait(LOOK_MS);
  tell(journaled(journal));
  child.kill("SIGKILL");
}

async function digestOf(id: string, pool: string, runDir: string): Promise<string> {
  const module = await loadModule(DEMO);
  const prepared = await prepareModule(module, {
    seed: SEED,
    options: { ...module.run.options, generations: GENERATIONS },
  });
  const options = { id, pool, runDir, workers: "auto" as const, seed: SEED, quiet: true, json: true };
  const { end }: EndedSession<unknown> = await runLive(prepared, newRun(options), options);
  if (end.state !== "done") throw new Error(`the run ${id} did not end: ${end.message}`);
  return end.digest;
}
