import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { random } from "@coppice/engine";
import { markedProcesses, RUN_MARK } from "@coppice/engine/child-process";
import { soak } from "@coppice/engine/soak";
import { assertRefused, COPPICE, coppice, file, journaled, launch, temporaryDirectory } from "../../test/coppice.ts";

/** Prints its item and much more, to both channels, and fails as the item says; notes every run in a ledger. */
const ACT = `printf '%s\\n' "$1" >>"ledger-$2"
printf '<%s>' "$1"
case $1 in
  *fail*) echo "no good: $1" >&2; exit 3;;
  *killed*) printf 'not a line'; kill -9 $$;;
  *binary*) printf '\\377\\000\\n\\200';;
  *big*) head -c 2000000 /dev/zero | tr '\\000' x | fold -w 50000; head -c 100000 /dev/zero >&2;;
  *slow*) while [ -e hold ]; do sleep 0.05; done; sleep 0.1; echo slow;;
  *quiet*) ;;
  *) echo;;
esac
`;

const HOSTILE = [
  "plain",
  "",
  " leading and trailing ",
  "-rf",
  "--help",
  "'; touch owned #",
  "$(touch owned)",
  "`touch owned`",
  '"double" \\ back',
  "a\nb",
  "{}{#}",
  "*?[a-z]",
  "\u00e9\u{1f3b2}\u202e",
  "\u001b[31mred",
  "fail",
  "killed",
  "binary",
  "quiet",
  "slow",
];

interface Printed {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number | null;
}

/** The twin: one after the other, each in its turn, by the plainest means. */
function oneByOne(place: string, items: readonly string[], halt: boolean): Printed {
  const stdout: Buffer[] = [];
  let stderr = "";
  let failed = 0;
  for (const item of items) {
    const run = spawnSync("sh", ["act.sh", item, "twin"], { cwd: place, maxBuffer: 2 ** 30 });
    stdout.push(run.stdout);
    stderr += run.stderr.toString("latin1");
    if (run.status !== 0) failed++;
    if (halt && failed > 0) break;
  }
  return { stdout: Buffer.concat(stdout), stderr, code: failed > 0 ? 1 : 0 };
}

/** `coppice …` in a process of its own, its output as bytes. */
async function typed(t: TestContext, place: string, args: readonly string[], environment = {}): Promise<Printed> {
  const child = launch(place, args, environment, t);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (bytes: Buffer) => stdout.push(bytes));
  child.stderr?.on("data", (bytes: Buffer) => stderr.push(bytes));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("latin1"), code };
}

/** Standard error without our own last line. */
function theirs(stderr: string): string {
  return stderr.replace(/coppice: [^\n]*\n$/, "");
}

function setting(t: TestContext, items: readonly string[]): string {
  const place = temporaryDirectory(t);
  file(place, "act.sh", ACT);
  file(place, "items", items.map((item) => `${item}\0`).join(""));
  return place;
}

const ACTS = ["sh", "act.sh", "{}", "map"];

/** Resolves when somebody watches over the commands of a marked process: it takes a moment, and longer where others work. */
async function watchedOver(mark: string): Promise<void> {
  const isWatched = () => {
    const pids = markedProcesses(mark);
    return pids.length > 0 && spawnSync("ps", ["-o", "args=", "-p", pids.join(",")]).stdout.includes("while read -r");
  };
  for (const until = Date.now() + 60_000; !isWatched(); await pause(50)) {
    assert.ok(Date.now() < until, "nobody watches over the commands");
  }
}

describe("coppice map", () => {
  it("prints what running the items one by one would, byte for byte, with one worker and many", {
    timeout: 300_000,
  }, async (t) => {
    for (let round = 0; round < soak(1, 40); round++) {
      const draws = random(round).at("map");
      const items = draws.shuffle([...HOSTILE, ...HOSTILE, ...(round % 2 === 0 ? ["big"] : [])]).slice(round % 7);
      const place = setting(t, items);
      const halt = round % 4 === 3;
      const expected = oneByOne(place, items, halt);
      for (const jobs of ["1", "7"]) {
        const args = ["map", "-0", "-a", "items", "-j", jobs, ...(halt ? ["--halt"] : []), ...ACTS];
        const { stdout, stderr, code } = await typed(t, place, args);
        assert.ok(stdout.equals(expected.stdout), `round ${round}, ${jobs} at once`);
        assert.equal(theirs(stderr), expected.stderr);
        assert.equal(code, expected.code);
      }
      assert.ok(!existsSync(join(place, "owned")), "an item was read by a shell");
    }
  });

  it("goes on after kill -9 where its journal ends: no finished item again, the same output, nothing left running", {
    timeout: 300_000,
  }, async (t) => {
    for (let round = 0; round < soak(1, 15); round++) {
      const draws = random(round).at("kill");
      const items = draws.shuffle(HOSTILE.filter((item) => item !== "killed" && item !== "slow"));
      items.splice(8, 0, ...Array.from({ length: 4 }, (_, i) => `slow ${i}`));
      const place = setting(t, items);
      const expected = oneByOne(place, items, false);
      const mark = crypto.randomUUID();
      writeFileSync(join(place, "hold"), "");
      const child = launch(place, ["map", "-0", "-a", "items", "-j", "3", ...ACTS], { [RUN_MARK]: mark }, t);
      await journaled(join(place, ".coppice", "runs", "1"), 8);
      await watchedOver(mark);
      child.kill("SIGKILL");
      for (const until = Date.now() + 20_000; markedProcesses(mark).length > 0; await pause(20)) {
        assert.ok(Date.now() < until, "commands are left running");
      }
      const journal = readFileSync(join(place, ".coppice", "runs", "1", "journal.ndjson"), "utf8");
      const finished = [...journal.matchAll(/"type":"completed".*?"key":"(\d+)"/g)].map(
        ([, key]) => items[Number(key) - 1],
      );
      assert.ok(finished.length >= 8);
      rmSync(join(place, "hold"));
      const { stdout, stderr, code } = await typed(t, place, ["resume", "1"]);
      assert.ok(stdout.equals(expected.stdout));
      assert.deepEqual([theirs(stderr), code], [expected.stderr, expected.code]);
      const ran = readFileSync(join(place, "ledger-map"), "utf8");
      for (const item of finished.filter((each) => each !== "" && !each.includes("\n"))) {
        assert.equal(ran.split("\n").filter((each) => each === item).length, 1, JSON.stringify(item));
      }
    }
  });

  it("ends a command that takes too long, with all it started, and tries again what fails", async (t) => {
    const place = temporaryDirectory(t);
    file(
      place,
      "act.sh",
      `echo try >>"tries-$1"; case $1 in hang) sleep 1000 & sleep 1000;; third) [ "$(wc -l <tries-third)" -ge 3 ];; esac\n`,
    );
    const mark = crypto.randomUUID();
    const args = [
      "map",
      "--json",
      "--timeout",
      "1s",
      "--retries",
      "2",
      "sh",
      "act.sh",
      "{}",
      ":::",
      "hang",
      "third",
      "fine",
    ];
    const { stdout, stderr, code } = await coppice(place, args, { [RUN_MARK]: mark });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      rows.map(({ item, exitCode, attempts, problem }) => [item, exitCode, attempts, problem]),
      [
        ["hang", null, 3, "it took longer than 1000 ms"],
        ["third", 0, 3, undefined],
        ["fine", 0, 1, undefined],
      ],
    );
    assert.equal(stderr, "coppice: 1 of 3 items failed: item 1 (hang) because it took longer than 1000 ms (run 1)\n");
    assert.equal(code, 1);
    assert.deepEqual(markedProcesses(mark), []);
  });

  it("takes its commands along when it is interrupted, and when nobody reads it any more", async (t) => {
    const act = ["sh", "-c", 'echo "$1"; echo >"began-$1"; [ "$1" = 1 ] || exec sleep 1000', "sh"];
    for (const how of ["reader", "signal"]) {
      const place = temporaryDirectory(t);
      const mark = crypto.randomUUID();
      const child = launch(place, ["map", "-j", "3", ...act, ":::", "1", "2", "3"], { [RUN_MARK]: mark }, t);
      const exited = new Promise((resolve) => child.on("exit", resolve));
      if (how === "reader") child.stdout?.destroy();
      else {
        for (const until = Date.now() + 60_000; !existsSync(join(place, "began-3")); await pause(20)) {
          assert.ok(Date.now() < until, "it did not begin");
        }
        child.kill("SIGINT");
      }
      assert.equal(await exited, how === "signal" ? 130 : 0);
      for (const until = Date.now() + 20_000; markedProcesses(mark).length > 0; await pause(20)) {
        assert.ok(Date.now() < until, `${how}: commands are left running`);
      }
    }
  });

  it("prints what comes from the background, too, and lets it end what it does", async (t) => {
    const place = temporaryDirectory(t);
    const late = '(sleep 0.6; echo "late $1"; echo >"wrote-$1") & echo "hi $1"';
    const { stdout, code } = await coppice(place, ["map", "sh", "-c", late, "sh", "{}", ":::", "a", "b"]);
    assert.deepEqual([stdout, code], ["hi a\nlate a\nhi b\nlate b\n", 0]);
    assert.ok(existsSync(join(place, "wrote-a")) && existsSync(join(place, "wrote-b")));
    const held = ["map", "--timeout", "1s", "--json", "sh", "-c", "sleep 1000 & echo hi", "sh", ":::", "a"];
    const bounded = await coppice(place, held);
    const { problem, stdout: printed } = JSON.parse(bounded.stdout) as Record<string, unknown>;
    assert.deepEqual([problem, printed, bounded.code], ["it took longer than 1000 ms", "hi\n", 1]);
  });

  it("stops when its program is gone, counts nothing as finished for that, and goes on only with the same program", async (t) => {
    const place = temporaryDirectory(t);
    const text = '#!/bin/sh\necho "v1 $1"; [ "$1" != 2 ] || mv prog.sh away\n';
    const program = file(place, "prog.sh", text);
    chmodSync(program, 0o755);
    const stopped = await coppice(place, ["map", "-j", "1", "--id", "m", "./prog.sh", ":::", "1", "2", "3", "4"]);
    assert.deepEqual([stopped.stdout, stopped.code], ["v1 1\nv1 2\n", 1]);
    assert.match(
      stopped.stderr,
      /^coppice: run m stopped: .*\.\/prog\.sh: not found; continue it with: coppice resume m\n$/,
    );
    const journal = join(place, ".coppice", "runs", "m", "journal.ndjson");
    const before = readFileSync(journal);
    assertRefused(await coppice(place, ["resume", "m"]), /there is no program \.\/prog\.sh/);
    file(place, "prog.sh", text.replace("v1", "v2"));
    chmodSync(program, 0o755);
    assertRefused(await coppice(place, ["resume", "m"]), /different code \(prog\.sh\).*--accept-changes/);
    assert.ok(readFileSync(journal).equals(before), "a refused resume wrote something");
    cpSync(join(place, ".coppice"), join(place, "copy"), { recursive: true });
    const mixed = await coppice(place, ["resume", join("copy", "runs", "m"), "--accept-changes"]);
    assert.deepEqual([mixed.stdout, mixed.code], ["v1 1\nv1 2\nv2 3\nv2 4\n", 0]);
    renameSync(join(place, "away"), program);
    const whole = await coppice(place, ["resume", "m"]);
    assert.deepEqual([whole.stdout, whole.code], ["v1 1\nv1 2\nv1 3\nv1 4\n", 0]);
    // What is finished needs no program.
    rmSync(program);
    assert.deepEqual(await coppice(place, ["resume", "m"]), whole);
  });

  it("knows a program of its own for every item, and says what is too long to be an argument", async (t) => {
    const place = temporaryDirectory(t);
    for (const number of [1, 3]) chmodSync(file(place, `p${number}`, "#!/bin/sh\necho $0 $1\n"), 0o755);
    const own = await coppice(place, ["map", "./p{#}", "{}", ":::", "a", "b", "c"]);
    assert.match(own.stderr, /item 2 \(b\): \.\/p2: not found/);
    assert.deepEqual([own.stdout, own.code], ["./p1 a\n./p3 c\n", 1]);
    file(place, "items", `a\n${"x".repeat(200_000)}\nb\n`);
    const long = await coppice(place, ["map", "-a", "items", "echo"]);
    assert.match(
      long.stderr,
      /^coppice: item 2 \(x+…\): echo: too long for an argument: let the command read its item, with --stdin\n/,
    );
    assert.deepEqual([long.stdout, long.code], ["a\nb\n", 1]);
    const read = await coppice(place, ["map", "-a", "items", "--stdin", "wc", "-c"]);
    assert.deepEqual([read.stdout.replaceAll(" ", ""), read.code], ["2\n200001\n2\n", 0]);
  });

  it("names the items that failed, also when it is shown, and runs those again when it is asked to", async (t) => {
    const place = temporaryDirectory(t);
    file(
      place,
      "act.sh",
      'echo "$2 $1"; case $1 in k*) [ -e fine ] || kill -9 $$;; f*) [ -e fine ] || exit 3;; g*) exit 4;; esac\n',
    );
    const items = ["a", "killed\n", "f1", "b", "f2", "g"];
    const acts = ["map", "--id", "m", "sh", "act.sh", "{}", "{#}", ":::"];
    const { stderr, code } = await coppice(place, [...acts, ...items]);
    const line =
      "4 of 6 items failed: item 2 (killed ) was ended by SIGKILL; item 3 (f1) with exit code 3; item 5 (f2) with exit code 3; and 1 more";
    assert.deepEqual([stderr, code], [`coppice: ${line} (run m)\n`, 1]);
    const shown = await coppice(place, ["show", "m"]);
    assert.match(shown.stdout, /\n4 of 6 items failed: item 2 .*and 1 more\n/);
    file(place, "fine", "");
    const again = await coppice(place, ["resume", "m", "--retry-failed", "-j", "1"]);
    assert.deepEqual([again.stdout, again.code], ["2 killed\n\n3 f1\n5 f2\n6 g\n", 1]);
    assert.equal(again.stderr, "coppice: 1 of 4 items failed: item 6 (g) with exit code 4 (run 1)\n");
    const last = await coppice(place, ["resume", "1", "--retry-failed"]);
    assert.deepEqual([last.stdout, last.code], ["6 g\n", 1]);
    assert.equal((await coppice(place, ["resume", "m", "-j", "1"])).code, 1);
    assertRefused(
      await coppice(place, ["resume", "m", "-j", "1", "--workers", "2"]),
      /--jobs 1 and --workers 2 contradict/,
    );
    await coppice(place, ["map", "--id", "well", "true", ":::", "a"]);
    assertRefused(await coppice(place, ["resume", "well", "--retry-failed"]), /no item of run well failed/);
  });

  it("gives up a command that prints without end, with what was kept of it", async (t) => {
    const place = temporaryDirectory(t);
    const { stdout, code } = await coppice(place, ["map", "--json", "yes", ":::", "x"]);
    const { problem, exitCode, stdout: kept } = JSON.parse(stdout) as Record<string, string>;
    assert.match(problem, /^it printed more than 8388608 bytes to stdout/);
    assert.equal(kept, "x\n".repeat(4 * 1024 * 1024));
    assert.deepEqual([exitCode, code], [null, 1]);
  });

  it("reads lines, JSON arrays and JSON lines, from files and standard input, and gives them as they are", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "lines", "a b\n\n-n\nlast");
    file(place, "array.json", '[\n  "a b",\n  {"x": [1, null]},\n  2.50\n]\n');
    file(place, "lines.json", '"a b"\n{"x": [1, null]}\n\n2.50\n');
    const printed = async (...args: string[]) =>
      (await coppice(place, ["map", ...args, "printf", "<%s>", "{}"])).stdout;
    assert.equal(await printed("-a", "lines"), "<a b><><-n><last>");
    assert.equal(await printed("-a", "lines", "-a", "lines"), "<a b><><-n><last><a b><><-n><last>");
    assert.equal(await printed("--input", "json", "-a", "array.json"), '<a b><{"x":[1,null]}><2.5>');
    assert.equal(await printed("--input", "json", "-a", "lines.json"), '<a b><{"x":[1,null]}><2.5>');
    const piped = spawnSync(process.execPath, [COPPICE, "map", "--stdin", "cat"], { cwd: place, input: "x\n'y\n" });
    assert.equal(piped.stdout.toString(), "x\n'y\n");
    const none = spawnSync(process.execPath, [COPPICE, "map", "echo"], { cwd: place, input: "" });
    assert.deepEqual([none.stdout.toString(), none.stderr.toString(), none.status], ["", "", 0]);
  });

  it("puts the item and its number where they belong, tags lines, shows what it would do and how far it is", async (t) => {
    const place = temporaryDirectory(t);
    const out = async (...args: string[]) => (await coppice(place, ["map", ...args])).stdout;
    assert.equal(await out("echo", ":::", "a", "b"), "a\nb\n");
    assert.equal(await out("echo {#}:{} '{}'", ":::", "a b", "$HOME"), "1:a b a b\n2:$HOME $HOME\n");
    assert.equal(await out("printf", "%s", "{}", ":::", "--", "-e"), "---e");
    assert.equal(await out("--tag", "printf", "1\n2", "{}", ":::", "a", "b\nc"), "a\t1\na\t2b c\t1\nb c\t2");
    assert.equal(await out("--dry-run", "touch", "{}", ":::", "a b", "it's"), "touch 'a b'\ntouch 'it'\\''s'\n");
    assert.ok(!existsSync(join(place, "a b")));
    const { stderr } = await coppice(place, ["map", "--progress", "true", ":::", "a", "b"]);
    assert.equal(stderr, "items 1/2\nitems 2/2\n");
  });

  it("refuses in one line what cannot be, and writes nothing", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "latin1", "ok\n");
    writeFileSync(join(place, "latin1"), Buffer.from([97, 10, 233, 10]));
    file(place, "zero", "a\n\0\n");
    file(place, "broken.json", '{"a": 1}\n{"a": \n');
    file(place, "items", "a\n");
    const lines: [string[], RegExp][] = [
      [[], /missing required argument 'command'/],
      [[":::", "a"], /name a command to run for every item/],
      [["no-such-program", ":::", "a"], /there is no program no-such-program/],
      [["x".repeat(5000), ":::", "a"], /there is no program x{60}… to run/],
      [[`./${"x".repeat(5000)}`, ":::", "a"], /there is no program \.\/x{58}… to run/],
      [["sh -c 'echo {}'", ":::", "a"], /sh would run it as code/],
      [["sh", "-c", "echo {}", ":::", "a"], /sh would run it as code/],
      [["echo {} | wc", ":::", "a"], /no shell is started/],
      [['echo "a', ":::", "b"], /^coppice: echo "a: a quote \("\) is not closed\n$/],
      [["-a", "missing", "echo"], /missing cannot be read/],
      [["-a", "items", "echo", ":::", "a"], /items come from -a or after :::/],
      [["-a", "latin1", "echo"], /latin1 is not valid UTF-8: see line 2/],
      [["-a", "zero", "echo"], /zero: item 2 holds a zero byte/],
      [["--input", "json", "-a", "broken.json", "echo"], /broken\.json line 2 is not JSON/],
      [["--stdin", "echo", "{}", ":::", "a"], /with --stdin the command reads the item/],
      [["-j", "0", "echo", ":::", "a"], /It must be "auto" or a whole number from 1 to 1024/],
      [["--timeout", "soon", "echo", ":::", "a"], /It must be a time/],
    ];
    for (const [args, line] of lines) assertRefused(await coppice(place, ["map", ...args]), line);
    assert.ok(!existsSync(join(place, ".coppice")));
  });
});
