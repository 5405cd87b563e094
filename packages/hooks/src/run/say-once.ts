import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileVersion } from "../file-version.ts";
import { appendToState, makeStateDirectory, OBSERVED_FILE } from "../state-directory.ts";

const SAID_FILE = "stale-said.txt";

/**
 * What is said of hooks that changed since they were traced: once for each, until something is traced again. `heard` notes
 * that it was: an answer that blocks has no room for it.
 */
export function staleNotices(
  stateDir: string,
  event: string,
  names: readonly string[],
): { readonly notices: readonly string[]; readonly heard: () => void } {
  const traced = fileVersion(join(stateDir, OBSERVED_FILE));
  const said = saidBefore(stateDir);
  const news = names.filter((name) => !said.has(`${traced} ${event}/${name}`));
  if (news.length === 0) return { notices: [], heard: () => {} };
  const heard = (): void => {
    try {
      makeStateDirectory(stateDir);
      appendToState(stateDir, SAID_FILE, news.map((name) => `${traced} ${event}/${name}\n`).join(""));
    } catch {
      // Saying it again is better than not running the hooks.
    }
  };
  const changed = `${news.join(", ")} changed since ${news.length === 1 ? "it was" : "they were"} traced`;
  const alone = `so ${news.length === 1 ? "it runs" : "they run"} alone until "coppice hooks trace ${event}" is run again`;
  return { notices: [`${changed}, ${alone}`], heard };
}

function saidBefore(stateDir: string): ReadonlySet<string> {
  try {
    return new Set(readFileSync(join(stateDir, SAID_FILE), "utf8").split("\n"));
  } catch {
    return new Set();
  }
}
