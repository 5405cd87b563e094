import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, isAbsolute, join } from "node:path";

// JavaScript, because stripping the types of the very first module would cost what the cache saves.

/**
 * Keeps compiled modules for this process and its workers: later starts take a third of the time. Whoever can write into
 * that folder can run code as this user, so it is one of the user's own, or there is none.
 */
export function keepCompiledModules(env = process.env) {
  // Node takes an empty one for none.
  if (env.NODE_COMPILE_CACHE || env.NODE_DISABLE_COMPILE_CACHE) return;
  const directory = ownCacheFolder(env);
  if (directory === undefined) return;
  enableCompileCache(directory);
  env.NODE_COMPILE_CACHE = directory;
}

/**
 * The folder for compiled modules under `XDG_CACHE_HOME` or `~/.cache`, made if it is missing. Undefined where it cannot
 * be made or somebody else could change what is in it: then every start compiles anew.
 */
export function ownCacheFolder({ XDG_CACHE_HOME, HOME }) {
  const base = isPath(XDG_CACHE_HOME) ? XDG_CACHE_HOME : isPath(HOME) ? join(HOME, ".cache") : undefined;
  if (base === undefined || process.getuid === undefined) return undefined;
  const uid = process.getuid();
  try {
    makePrivate(base);
    // Without symbolic links from here on: what is checked below is what is used.
    const above = realpathSync(base);
    if (![above, ...ancestors(above)].every((path) => isSafe(path, [uid, 0], true))) return undefined;
    let directory = above;
    for (const name of ["coppice", "compiled"]) {
      directory = join(directory, name);
      makePrivate(directory);
      if (!isSafe(directory, [uid], false)) return undefined;
    }
    return directory;
  } catch {
    return undefined;
  }
}

function isPath(given) {
  return given !== undefined && isAbsolute(given);
}

function makePrivate(directory) {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}

/**
 * A real directory of one of these users that nobody else can write. In one with the sticky bit, such as `/tmp`, others
 * may have things of their own but cannot move ours.
 */
function isSafe(path, owners, stickyWillDo) {
  const stat = lstatSync(path);
  const closed = (stat.mode & 0o022) === 0 || (stickyWillDo && (stat.mode & 0o1000) !== 0);
  return stat.isDirectory() && owners.includes(stat.uid) && closed;
}

function ancestors(path) {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestors(above)];
}
