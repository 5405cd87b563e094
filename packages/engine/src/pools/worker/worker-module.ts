/** URL of a worker's entry module beside this file, in the form this file itself is run in (source or build). */
export function moduleBeside(name: "thread-entry" | "process-entry" | "orphan-entry"): URL {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./${name}.${ending}`, import.meta.url);
}
