import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { processStart } from "@coppice/engine/child-process";
import { makeStateDirectory, refuseLinks } from "../state-directory.ts";

/** A held lock, or why there is none; events go on without one rather than not at all. */
export type SessionLock = { readonly held: true; release(): void } | { readonly held: false; readonly because: string };

/** Takes the lock that serialises state writers of one session across events (H-21). */
export async function lockSession(stateDir: string, session: string, patienceMs: number): Promise<SessionLock> {
  // Two sessions that end up with one name share a lock, which is slow but not wrong; hashing would load OpenSSL.
  const name = session.replace(/[^\w-]/g, "_").slice(0, 100);
  const directory = join(stateDir, "locks");
  const file = join(directory, `${name}.lock`);
  const owner = `${process.pid} ${processStart(process.pid) ?? ""}`;
  const pausesMs = 5;
  for (let waitedMs = 0; ; waitedMs += pausesMs) {
    const own = `${file}.${process.pid}-${process.hrtime.bigint()}.new`;
    try {
      refuseLinks(dirname(stateDir), stateDir, directory);
      // Linked, not created in place: nobody ever sees a lock that does not name its owner yet.
      writeFileSync(own, owner, { mode: 0o600, flag: "wx" });
      try {
        linkSync(own, file);
      } finally {
        rmSync(own, { force: true });
      }
      return { held: true, release: () => releaseOwn(file, owner) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") {
        try {
          makeStateDirectory(stateDir);
          mkdirSync(directory, { recursive: true, mode: 0o700 });
          continue;
        } catch {
          return { held: false, because: `${directory} cannot be created` };
        }
      }
      if (code !== "EEXIST") return { held: false, because: `${file}: ${code ?? (error as Error).message}` };
    }
    if (clearIfStale(file)) continue;
    if (waitedMs >= patienceMs) {
      return { held: false, because: `another event of this session held the lock for ${patienceMs / 1000} s` };
    }
    await new Promise((resolve) => setTimeout(resolve, pausesMs));
  }
}

function releaseOwn(file: string, owner: string): void {
  if (readOwner(file) === owner) rmSync(file, { force: true });
}

/** Removes a lock whose owner is gone. */
function clearIfStale(file: string): boolean {
  const owner = readOwner(file);
  if (owner === undefined) return true;
  const [pid, start] = owner.split(" ");
  if (pid === undefined || pid === "" || start === undefined) return false;
  if (processStart(Number(pid)) === start) return false;
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    // Someone may have cleared and taken it in between: then it is theirs and goes back.
    if (readOwner(aside) !== owner) linkSync(aside, file);
  } catch {
    // Lost a race for the same stale lock, which is as good as having won it.
  }
  rmSync(aside, { force: true });
  return true;
}

function readOwner(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
