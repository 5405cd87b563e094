// Runs the tests: every *.test.ts beside what it tests. Arguments narrow it: `npm test -- packages/engine`, and
// `--test-name-pattern=words` picks tests by their names. `--soak` runs the files that soak, with their large numbers.
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    soak: { type: "boolean", default: false },
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    concurrency: { type: "string", default: String(3 * availableParallelism()) },
  },
});
const CACHE = resolve("node_modules", ".cache", "coppice-tests");
/** Files in a process that several share: enough to save starts, few enough to spread over the cores. */
const SHARING = 10;
const DURATIONS = join(CACHE, "durations.json");

// Commands that tests start are not called through npm.
delete process.env.npm_command;
// A start costs 200 ms instead of 350 when types are stripped and modules compiled already.
process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
if (options.soak) process.env.COPPICE_SOAK ??= "1";

const files = testFiles();
if (files.length === 0) {
  console.error(`no test file matches ${places.join(" ") || "the workspace"}`);
  process.exit(2);
}
mkdirSync(CACHE, { recursive: true });
const durations = lastDurations();
const tests = run({
  files: longestFirst(groups(files)),
  concurrency: Number(options.concurrency),
  execArgv: ["--disable-warning=ExperimentalWarning"],
  timeout: options.soak ? 3_600_000 : 300_000,
  testNamePatterns: options["test-name-pattern"].map((words) => new RegExp(words)),
});
tests.on("test:fail", () => {
  process.exitCode = 1;
});
tests.on("test:summary", ({ file, duration_ms }) => {
  if (file !== undefined) durations[relative(".", file)] = Math.round(duration_ms);
  else if (!options.soak) writeFileSync(DURATIONS, JSON.stringify(durations, null, 1));
});
tests.compose(spec()).pipe(process.stdout);

function testFiles() {
  return globSync(["packages/*/{src,test}/**/*.test.ts", "{bench,examples,scripts}/**/*.test.ts"], {
    exclude: (path) => path.includes("node_modules"),
  })
    .filter((file) => places.length === 0 || places.some((place) => file.startsWith(place)))
    .filter((file) => !options.soak || soaks(file))
    .sort();
}

/** Whether a test file, or test code it uses, repeats as often as it is told to. */
function soaks(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  if (/from "(@coppice\/engine\/(soak|conformance)|\.\.?\/.*soak\.ts)"/.test(text)) return true;
  const used = Array.from(text.matchAll(/from "(\.\.?\/[^"]+)"/g), ([, path]) => join(dirname(file), path));
  return used.some((path) => path.includes("/test/") && soaks(path, seen));
}

/**
 * Files that keep to themselves (no worker, no environment, no mock, no hook for the whole file) share a process with
 * others of their package: most of them take less time than their process would take to start.
 */
function groups(all) {
  const byProcess = Map.groupBy(all, (file) => (keepsToItself(file) ? file.split("/", 2).join("-") : file));
  return [...byProcess].flatMap(([name, members]) => {
    if (members.length === 1) return [{ entry: members[0], members }];
    const count = Math.ceil(members.length / SHARING);
    return Array.from({ length: count }, (_, part) => {
      const entry = join(CACHE, `${name}-${part + 1}.test.mjs`);
      const own = members.filter((_member, i) => i % count === part);
      writeFileSync(entry, own.map((member) => `import ${JSON.stringify(resolve(member))};\n`).join(""));
      return { entry, members: own };
    });
  });
}

function keepsToItself(file) {
  if (!file.startsWith("packages/")) return false;
  const text = readFileSync(file, "utf8");
  const changesProcess = /process\.|child_process|worker_threads|mock\.|^(before|after)(Each)?\(/m;
  const startsWorkers = /\b(threads|processes)\(|conformance|coppice\.ts|practice/;
  return !changesProcess.test(text) && !startsWorkers.test(text);
}

/** What was never run counts by its size, and what starts commands or measures counts most. */
function longestFirst(list) {
  const guess = (file) => statSync(file).size * (/^(bench|examples|packages\/cli)/.test(file) ? 10 : 1);
  const weight = ({ entry, members }) =>
    durations[relative(".", entry)] ?? members.reduce((sum, member) => sum + guess(member), 0);
  return list.toSorted((a, b) => weight(b) - weight(a)).map(({ entry }) => resolve(entry));
}

function lastDurations() {
  try {
    return JSON.parse(readFileSync(DURATIONS, "utf8"));
  } catch {
    return {};
  }
}
