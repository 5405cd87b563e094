import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AttackedRun,
  completedKeys,
  coordinatorBelow,
  type Harm,
  harmOf,
  launch,
  type NotHere,
  untilCompleted,
} from "./attacked-run.ts";

/** Puts a command into a process namespace of its own, with its own numbers for processes, as a container does. */
const IN_NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];

function noNamespaces(): NotHere | undefined {
  const { status } = spawnSync(IN_NAMESPACE[0], [...IN_NAMESPACE.slice(1), "true"], { stdio: "ignore" });
  return status === 0 ? undefined : { skipped: "process namespaces cannot be made here" };
}

/**
 * While a run goes on, somebody in another process namespace tries to resume it: the owner's number means nothing there,
 * but its heart beats, so that the thief is refused and the run ends as if nothing had been.
 */
export async function stealFromLiveOwner(run: AttackedRun, owner: "inside" | "outside"): Promise<Harm | NotHere> {
  const skipped = noNamespaces();
  if (skipped !== undefined) return skipped;
  const first = launch(run, owner === "inside" ? [...IN_NAMESPACE, ...run.start] : run.start);
  try {
    await untilCompleted(run, 3);
    const before = completedKeys(run);
    const thief = await launch(run, owner === "inside" ? run.resume : [...IN_NAMESPACE, ...run.resume]).ended;
    assert.match(thief.stderr, /is in use by pid \d+/);
    assert.equal(thief.code, 2, thief.stderr);
    run.letGo();
    const { code, stderr } = await first.ended;
    assert.equal(code, 0, stderr);
    return harmOf(run, before);
  } finally {
    first.child.kill("SIGKILL");
  }
}

/**
 * A run's owner in another namespace is stopped, so that its heart stands still; whoever resumes the run may take it
 * over. When the owner goes on it must notice before it writes anything, and say so in one line.
 */
export async function stealFromStoppedOwner(run: AttackedRun): Promise<Harm | NotHere> {
  const skipped = noNamespaces();
  if (skipped !== undefined) return skipped;
  const first = launch(run, [...IN_NAMESPACE, ...run.start]);
  try {
    await untilCompleted(run, 3);
    const coordinator = coordinatorBelow(first.child);
    process.kill(coordinator, "SIGSTOP");
    const stoppedAt = new Date().toISOString();
    const before = completedKeys(run);
    run.letGo();
    const thief = await launch(run, run.resume).ended;
    assert.equal(thief.code, 0, thief.stderr);
    const files = contents(run.directory, stoppedAt);
    process.kill(coordinator, "SIGCONT");
    const { code, stderr } = await first.ended;
    assert.match(
      stderr,
      /the lock \S+ was (taken by \S.*|removed or replaced): this process stops and writes nothing more/,
    );
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.notEqual(code, 0);
    assert.deepEqual(
      contents(run.directory, stoppedAt),
      files,
      "what the former owner wrote after it had lost its lock",
    );
    return harmOf(run, before);
  } finally {
    first.child.kill("SIGKILL");
  }
}

/**
 * Every file of a directory with what is in it, except the lock; of logs, what was said since a time: what was said before
 * may be on its way to the disk while its process stands still.
 */
function contents(directory: string, since: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  const saidSince = (line: string) => line !== "" && (JSON.parse(line) as { readonly time: string }).time >= since;
  return new Map(
    paths.map((path) => {
      const text = readFileSync(path, "utf8");
      return [path, path.endsWith(".log") ? text.split("\n").filter(saidSince).join("\n") : text];
    }),
  );
}
