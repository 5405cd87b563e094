import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ending, runChild } from "@coppice/engine/child-process";
import { type HookSurroundings, hookCommand, hookEnvironment } from "../run/carry-process.ts";
import type { EventInput } from "../run/event-input.ts";
import type { Hook } from "../settings/hook.ts";
import type { Staging } from "../staging/stage-hooks.ts";
import { type Accesses, toResources } from "./accesses.ts";
import { codeDirectories, fingerprint, hookFiles, isCode, versionOf } from "./hook-files.ts";
import type { Observation } from "./observations.ts";
import { compareSnapshots, takeSnapshot } from "./snapshot.ts";
import { readStraceLog, underStrace } from "./strace.ts";

/** What a shell ends with whose program is not there; strace has a code of its own. */
export const NOT_FOUND = 127;

/** How hooks are watched. */
export type TraceMethod = "strace" | "snapshot";

/** What was seen of one hook in this run, and how it ended. */
export interface TracedHook {
  readonly observation: Observation;
  readonly ending: Ending;
}

/** Runs the hooks of a staging one by one, in list order, and watches what each touches. They really run. */
export async function traceEvent(
  staging: Staging,
  input: EventInput,
  surroundings: HookSurroundings,
  method: TraceMethod,
  signal: AbortSignal,
): Promise<readonly TracedHook[]> {
  const seen: { hook: Hook; accesses: Accesses; ending: Ending }[] = [];
  for (const hook of staging.hooks) {
    if (signal.aborted) break;
    seen.push({ hook, ...(await watch(hook, input, surroundings, method, signal)) });
  }
  const home = surroundings.env.HOME ?? surroundings.projectDir;
  const written = new Set(seen.flatMap(({ accesses }) => [...accesses.writes]));
  return seen.map(({ hook, accesses, ending }) => {
    // What a hook writes is data, whatever it is called.
    const files = hookFiles(hook, surroundings.projectDir, surroundings.env).filter((file) => !written.has(file));
    const directories = codeDirectories(files, surroundings.projectDir);
    const ownCode = [...accesses.reads].filter(
      (path) => directories.some((directory) => path.startsWith(`${directory}/`)) && !written.has(path) && isCode(path),
    );
    const code = new Set([...files, ...ownCode, ...directories]);
    const allFiles = [
      ...new Set([...files, ...ownCode, ...helpersIn(accesses, surroundings.projectDir, written)]),
    ].sort();
    const roots = { projectDir: surroundings.projectDir, home, session: input.sessionId, code };
    const { reads, writes } = toResources(accesses, roots, written);
    return {
      ending,
      observation: {
        hook: hook.name,
        method,
        reads: method === "snapshot" ? ["*"] : reads,
        writes,
        files: allFiles,
        fingerprint: fingerprint(hook, allFiles),
        version: versionOf(hook, allFiles),
        runs: 1,
      },
    };
  });
}

/** What a hook started or sourced of the project: it changes with them, but what is read of them is not hidden. */
function helpersIn({ executed, reads }: Accesses, projectDir: string, written: ReadonlySet<string>): readonly string[] {
  return [...executed, ...[...reads].filter((path) => /\.(?:ba)?sh$/.test(path))].filter(
    (path) => path.startsWith(`${projectDir}/`) && !path.includes("/node_modules/") && !written.has(path),
  );
}

async function watch(
  hook: Hook,
  input: EventInput,
  surroundings: HookSurroundings,
  method: TraceMethod,
  signal: AbortSignal,
): Promise<{ accesses: Accesses; ending: Ending }> {
  const env = hookEnvironment(hook, surroundings);
  const command = hookCommand(hook, env);
  const run = async (line: typeof command) => {
    const { ending } = await runChild({
      command: line,
      cwd: surroundings.cwd,
      env,
      input: input.bytes,
      // Watching costs time of its own.
      timeoutMs: hook.timeoutMs * 5,
      signal,
    });
    return ending;
  };
  if (method === "strace") {
    const directory = mkdtempSync(join(tmpdir(), "coppice-trace-"));
    try {
      const log = join(directory, "log");
      const ending = await run(underStrace(command, log));
      const accesses = readStraceLog(readFileSync(log, "utf8"), surroundings.cwd);
      const begun = accesses.executed.size > 0 || ending.kind !== "exited";
      return { ending: begun ? ending : { ...ending, code: NOT_FOUND }, accesses };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  const places = [surroundings.projectDir, join(surroundings.env.HOME ?? surroundings.projectDir, ".claude")];
  const before = takeSnapshot(places);
  const ending = await run(command);
  return { ending, accesses: compareSnapshots(before, takeSnapshot(places)) };
}
