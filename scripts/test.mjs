// Runs the tests: every *.test.ts beside what it tests. Arguments narrow it: `npm test -- packages/engine`, and
// `--test-name-pattern=words` picks tests by their names. `--soak` runs the files that soak, with their large numbers.
// `--again` runs files in which a test failed once more, alone and one after the other, and says which passed only then.
// `--times` (on Linux) gives every file a process and prints the processor seconds each has used, least first; of the whole
// workspace, it also writes down the longest, which begin first wherever nothing is known yet.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";

const { values: options, positionals: places } = parseArgs({
  allowPositionals: true,
  options: {
    soak: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    times: { type: "boolean", default: false },
    "test-name-pattern": { type: "string", multiple: true, default: [] },
    concurrency: { type: "string", default: String(3 * availableParallelism()) },
  },
});
const CACHE = resolve("node_modules", ".cache", "coppice-tests");
/** What the files that share a process may take together, in ms: enough to save starts, little enough to spread over the cores. */
const SHARED_MS = 12_000;
/** Tests that look at pages share a browser, and so all of a package share a process. */
const BROWSER = ".browser";
/**
 * Processor seconds of every file that needs more than {@link SHORT_S}: written by `--times` of the whole workspace, best
 * with the bit of the soak that CI has, where nothing else is known.
 */
const KNOWN = resolve("scripts", "long-tests.json");
const SHORT_S = 2.5;
const DURATIONS = join(CACHE, "durations.json");
const TIMES = join(CACHE, "times.txt");
/** What tests leave while they run is far less, even side by side. */
const ROOMY_BYTES = 2e9;
/** What only reads of the process, or ends with its test. */
const HARMLESS =
  /in-process\.ts|\bt\.mock\.|\.{3}process\.env\b|process\.(execPath|platform|pid|versions|getuid|kill|cwd)\b/g;

// What is made for a run goes with it, however that ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));
// Commands that tests start are not called through npm.
delete process.env.npm_command;
// A start costs 200 ms instead of 350 when types are stripped and modules compiled already.
process.env.NODE_COMPILE_CACHE ??= join(CACHE, "compiled");
if (options.soak) process.env.COPPICE_SOAK ??= "1";
useMemoryForFiles();

const durations = readJson(DURATIONS) ?? {};
const known = readJson(KNOWN) ?? {};
const files = testFiles();
if (files.length === 0) {
  console.error(`no test file matches ${places.join(" ") || "the workspace"}`);
  process.exit(2);
}
mkdirSync(CACHE, { recursive: true });
rmSync(TIMES, { force: true });
const shares = ownFolder();
const took = new Map();
const failed = { files: [], names: [] };
const tests = runFiles(longestFirst(groups(files)), Number(options.concurrency));
tests.on("test:pass", noteDuration);
tests.on("test:fail", noteDuration);
tests.on("test:summary", ({ file, duration_ms }) => {
  // Tests that a file has from elsewhere count as its own.
  if (file !== undefined && files.includes(relative(".", file))) took.set(relative(".", file), Math.round(duration_ms));
  // What is run in part, on its own or with large numbers takes another time.
  if (file !== undefined || places.length > 0 || options.soak || options["test-name-pattern"].length > 0) return;
  // Another `npm test` may read it at any time.
  writeFileSync(`${DURATIONS}.${process.pid}`, JSON.stringify(Object.fromEntries(took), null, 1));
  renameSync(`${DURATIONS}.${process.pid}`, DURATIONS);
});
if (options.again) tests.on("end", runFailedAgain);
if (options.times) tests.on("end", printTimes);

/**
 * Tests make their files in memory where there is a place for that: nobody waits for a disk then, and most of what tests
 * wait for is that. Whoever sets TMPDIR has them there.
 */
function useMemoryForFiles() {
  if (process.env.TMPDIR || !existsSync("/dev/shm")) return;
  const { bavail, bsize } = statfsSync("/dev/shm");
  if (bavail * bsize < ROOMY_BYTES) return;
  try {
    const place = mkdtempSync("/dev/shm/coppice-");
    process.on("exit", () => rmSync(place, { recursive: true, force: true, maxRetries: 3 }));
    // In some containers nothing may be run from there, and tests write programs.
    writeFileSync(join(place, "runs"), "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(join(place, "runs")).status === 0) process.env.TMPDIR = place;
  } catch {
    // Not ours to write: the usual place will do.
  }
}

/**
 * Where this run writes what lets files share a process: other runs at the same time have folders of their own, under
 * names that come again, so that what is compiled is found again.
 */
function ownFolder() {
  for (let at = 1; ; at++) {
    const folder = join(CACHE, `shares-${at}`);
    try {
      mkdirSync(folder);
      process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
      return folder;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

/** Runs the tests of these files, prints what they say, and notes which failed. */
function runFiles(entries, concurrency) {
  const stream = run({
    files: entries.map((entry) => resolve(entry)),
    concurrency,
    execArgv: ["--disable-warning=ExperimentalWarning", ...measuring()],
    timeout: options.soak ? 3_600_000 : 1_200_000,
    testNamePatterns: options["test-name-pattern"].map((words) => new RegExp(words)),
  });
  stream.on("test:fail", ({ name, details }) => {
    process.exitCode = 1;
    // A file whose process was ended from outside, or did not begin, has no summary.
    if (isAbsolute(name) && existsSync(name)) failed.files.push(name);
    // A suite fails with what is in it.
    if (details.error?.failureType !== "subtestsFailed") failed.names.push(name);
  });
  // A test may stand in a file that others share: what was run is what can be run again.
  stream.on("test:summary", ({ file, success }) => {
    if (file !== undefined && !success) failed.files.push(file);
  });
  stream.compose(spec()).pipe(process.stdout, { end: false });
  return stream;
}

function runFailedAgain() {
  if (process.exitCode !== 1) return;
  const [files, names] = [[...new Set(failed.files.splice(0))], failed.names.splice(0)];
  console.log(`\nfailed beside others, run again alone: ${files.map((file) => relative(".", file)).join(", ")}\n`);
  process.exitCode = 0;
  runFiles(files, 1).on("end", () => {
    const passed = names.filter((name) => !failed.names.includes(name));
    for (const name of passed) console.log(`✔ passed only when run alone: ${name}`);
    console.log(`ℹ failed once ${passed.length}, failed twice ${failed.names.length}`);
  });
}

/** What every test process is started with when times are wanted. */
function measuring() {
  if (!options.times) return [];
  process.env.COPPICE_TIMES = TIMES;
  return [`--import=${resolve("scripts/processor-time.mjs")}`];
}

function printTimes() {
  const text = readFileSync(TIMES, "utf8").replaceAll(`${process.cwd()}/`, "");
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(9), Number.parseFloat(line)])
    .sort((a, b) => a[1] - b[1]);
  const sum = rows.reduce((all, [, seconds]) => all + seconds, 0);
  const lines = rows.map(([file, seconds]) => `${seconds.toFixed(2).padStart(8)} ${file}`);
  console.log(`processor seconds\n${lines.join("\n")}\n${sum.toFixed(2).padStart(8)} in all`);
  if (places.length > 0 || options.soak) return;
  const long = rows.filter(([, seconds]) => seconds >= SHORT_S).reverse();
  writeFileSync(
    KNOWN,
    `${JSON.stringify(Object.fromEntries(long.map(([file, s]) => [file, Math.round(s)])), null, 2)}\n`,
  );
}

function testFiles() {
  return globSync(["packages/*/{src,test,page}/**/*.test.ts", "{bench,examples,scripts}/**/*.test.ts"], {
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
  // A test may write out the text of a module that imports what is not here.
  return used.some((path) => path.includes("/test/") && existsSync(path) && soaks(path, seen));
}

/** Outermost tests only: they include what is inside them. */
function noteDuration({ file, nesting, details }) {
  const path = relative(".", file ?? "");
  if (nesting !== 0 || !files.includes(path)) return;
  took.set(path, Math.round((took.get(path) ?? 0) + details.duration_ms));
}

/**
 * Files that keep to themselves (no changed environment, no mock that stays, no hook before the whole file) share a
 * process with others of their package or folder: most of them take less time than their process would take to start, and those
 * that type commands share the process that runs these, too.
 */
function groups(all) {
  return [...Map.groupBy(all, groupOf)].flatMap(([name, members]) => {
    if (members.length === 1) return [{ entry: members[0], weight: weightOf(members[0]) }];
    return shared(members, name.endsWith(BROWSER) ? Number.POSITIVE_INFINITY : SHARED_MS).map(
      ({ files: own, weight }, part) => {
        const entry = join(shares, `${name}-${part + 1}.test.mjs`);
        writeFileSync(entry, own.map((member) => `import ${JSON.stringify(resolve(member))};\n`).join(""));
        return { entry, weight };
      },
    );
  });
}

/** The files of a group share processes; one that cannot share is a group of its own. */
function groupOf(file) {
  if (options.times || !keepsToItself(file)) return file;
  const [part] = /^packages\/[^/]+|^[^/]+/.exec(file);
  return `${part.replace("/", "-")}${file.endsWith(`${BROWSER}.test.ts`) ? BROWSER : ""}`;
}

/** Fills one process after the other, longest files first. */
function shared(members, most) {
  const parts = [];
  for (const file of longestFirst(members.map((entry) => ({ entry, weight: weightOf(entry) })))) {
    const weight = weightOf(file);
    const roomy = parts.find((part) => part.weight + weight <= most);
    if (roomy === undefined) parts.push({ files: [file], weight });
    else {
      roomy.files.push(file);
      roomy.weight += weight;
    }
  }
  return parts;
}

function keepsToItself(file) {
  const text = readFileSync(file, "utf8").replace(HARMLESS, "");
  return !/\bprocess\.|\bmock\.|^(before|beforeEach|afterEach)\(|conformance/m.test(text);
}

function longestFirst(list) {
  return list.toSorted((a, b) => b.weight - a.weight).map(({ entry }) => entry);
}

/** In ms. What was never run here counts by what it took where `--times` was asked of all, and the small ones by their size. */
function weightOf(file) {
  return durations[file] ?? 1000 * (known[file] ?? Math.min(SHORT_S, statSync(file).size / 10_000));
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
