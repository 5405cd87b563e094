import assert from "node:assert/strict";
import {
  appendFileSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { changeOutcome, forgetRun } from "../../test/changed-outcome.ts";
import {
  assertRefused,
  coppice,
  document,
  ended,
  file,
  journaled,
  launch,
  SQUARES,
  temporaryDirectory,
} from "../../test/coppice.ts";
import { copyOfRuns } from "../../test/recorded-runs.ts";

const RUNS = join(".coppice", "runs");

function journalOf(place: string, id: string): string {
  return join(place, RUNS, id, "journal.ndjson");
}

describe("coppice runs", { concurrency: 2 }, () => {
  it("lists runs in the order of their numbers, with what became of them", async (t) => {
    const place = await copyOfRuns(t);
    const { stdout, code } = await coppice(place, ["runs"]);
    const lines = stdout.trimEnd().split("\n");
    assert.match(lines[0], /^id +tool +state +tells +digest +started +span$/);
    const cells = lines.slice(1).map((line) => line.split(/ {2,}/).slice(0, 3));
    assert.deepEqual(cells, [
      ["2", "run", "done"],
      ["10", "run", "done"],
      ["other", "run", "done"],
      ["stopped", "run", "stopped"],
    ]);
    assert.match(lines[1], /run +done +12 +[0-9a-f]{12} +\d{4}-\d\d-\d\d \d\d:\d\d +[\d.]+ m?s$/);
    assert.match(lines[4], /no square of 3 today/);
    assert.equal(code, 0);
  });

  it("says what is not a run, and which ones there are", async (t) => {
    const place = temporaryDirectory(t);
    document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline", "--id", "r"]));
    const said = async (named: string) => (await coppice(place, ["resume", named])).stderr;
    assert.equal(await said(""), "coppice: name a run of .coppice/runs, or a run's directory (known: r)\n");
    const noRun = "is not a run: it has no run.json; name a run, or the directory of one";
    assert.equal(await said("/usr"), `coppice: /usr ${noRun}\n`);
    mkdirSync(join(place, "empty"));
    assert.equal(await said("empty"), `coppice: empty ${noRun}\n`);
    mkdirSync(join(place, RUNS, "begun"));
    assert.match(await said("begun"), /its run never began; start it again .*, --id begun included/);
  });

  it("says what is damaged, unreadable or was cut off", async (t) => {
    const place = await copyOfRuns(t);
    const [, opened] = /^(.*\n)/.exec(readFileSync(journalOf(place, "2"), "utf8")) ?? [];
    for (const id of ["cut", "spoiled"]) {
      mkdirSync(join(place, RUNS, id));
      cpSync(join(place, RUNS, "2", "run.json"), join(place, RUNS, id, "run.json"));
    }
    writeFileSync(journalOf(place, "cut"), opened ?? "");
    writeFileSync(journalOf(place, "spoiled"), (opened ?? "").replace("opened", "0pened"));
    writeFileSync(join(place, RUNS, "10", "run.json"), '{"format":99}');
    writeFileSync(join(place, RUNS, "other", "result.json"), '{"id":"oth');
    writeFileSync(join(place, RUNS, "stopped", "result.json"), '"hi"\n');
    mkdirSync(join(place, RUNS, "unbegun"));
    cpSync(join(place, RUNS, "2", "run.json"), join(place, RUNS, "unbegun", "run.json"));
    const rows = JSON.parse((await coppice(place, ["runs", "--json"])).stdout) as Record<string, unknown>[];
    const states = Object.fromEntries(rows.map(({ id, state, message }) => [id, `${state}: ${message ?? ""}`]));
    assert.equal(states.cut, "cut off: ");
    assert.equal(states.unbegun, "cut off: ");
    assert.match(String(states.other), /^damaged: .*result.json is (?:damaged|cut off) .*: resume the run/);
    assert.match(String(states.stopped), /^damaged: .*result.json is damaged \(it has no digest\): resume the run/);
    assert.match(String(states.spoiled), /^damaged: .*line 1 .* checksum/);
    assert.match(String(states[10]), /^unreadable: .*has format 99, this coppice reads up to 1/);
  });

  it("says how long a run took by its journal, whenever it was copied", async (t) => {
    const place = await copyOfRuns(t);
    const later = Date.now() / 1000 + 3600;
    for (const id of ["2", "stopped"]) utimesSync(journalOf(place, id), later, later);
    const rows = JSON.parse((await coppice(place, ["runs", "--json"])).stdout) as Record<string, unknown>[];
    for (const { id, tookMs } of rows) assert.ok(Number(tookMs) < 600_000, `${id}: ${tookMs} ms`);
  });

  it("says that there are none", async (t) => {
    const { stdout, code } = await coppice(temporaryDirectory(t), ["runs"]);
    assert.deepEqual([stdout, code], ["no runs in .coppice/runs yet\n", 0]);
  });

  it("refuses a file where the runs should be", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "notes", "");
    for (const command of [["runs"], ["show", "1"]]) {
      assertRefused(
        await coppice(place, [...command, "--run-dir", "notes"]),
        /notes is a file, not a directory of runs/,
      );
    }
  });
});

describe("coppice watch", { concurrency: 2 }, () => {
  it("follows a run of another process to its end", async (t) => {
    const place = temporaryDirectory(t);
    const slow = ["--workers", "2", "--id", "slow", "--option", "delayMs=150"];
    const run = ended(launch(place, ["run", SQUARES, ...slow], {}, t));
    await journaled(join(place, RUNS, "slow"), 1);
    const { stdout, code } = await coppice(place, ["watch", "slow", "--json"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; at: number });
    assert.equal((await run).code, 0);
    assert.deepEqual([events[0]?.type, events.at(-1)?.type, code], ["run-started", "finished", 0]);
    assert.equal(events.filter(({ type }) => type === "completed").length, 12);
  });

  it("shows a run that has ended and says when nobody works on one that has not", async (t) => {
    const place = await copyOfRuns(t);
    const done = await coppice(place, ["watch", "2"]);
    assert.match(done.stderr, /12 tells.*\ndigest [0-9a-f]{64}/);
    assert.equal(done.code, 0);
    const stopped = await coppice(place, ["watch", "stopped"]);
    assert.match(stopped.stderr, /\ncoppice: continue it with: coppice resume stopped\n$/);
    assert.equal(stopped.code, 1);
    const journal = readFileSync(journalOf(place, "10"), "utf8");
    writeFileSync(journalOf(place, "10"), journal.slice(0, journal.lastIndexOf("\n", journal.length - 2) + 1));
    const cut = await coppice(place, ["watch", "10"]);
    assert.match(
      cut.stderr,
      /no process is working on it, and it has not ended; continue it with: coppice resume 10\n$/,
    );
    assert.equal(cut.code, 1);
    assert.match((await coppice(place, ["show", "10"])).stdout, /^run 10: cut off\n/);
    assertRefused(await coppice(place, ["watch", "nowhere"]), /there is no run nowhere/);
    rmSync(journalOf(place, "10"));
    for (const command of ["watch", "show", "verify"]) {
      assertRefused(await coppice(place, [command, "10"]), /10 has no journal\.ndjson that could be read/);
    }
    mkdirSync(journalOf(place, "10"));
    for (const command of ["watch", "show", "verify", "resume"]) {
      assertRefused(
        await coppice(place, [command, "10"]),
        /journal\.ndjson (is a directory, not a file|that could be read)/,
      );
    }
    assert.match((await coppice(place, ["runs"])).stdout, /^10 .* damaged .*journal\.ndjson is a directory/m);
  });
});

describe("coppice show", { concurrency: 2 }, () => {
  it("tells what is known of a run", async (t) => {
    const place = await copyOfRuns(t);
    const { stdout, code } = await coppice(place, ["show", "2"]);
    assert.equal(code, 0);
    assert.match(stdout, /^run 2: done\n/);
    assert.match(stdout, /reproducible from +its seed/);
    assert.match(stdout, /12 completed, 0 failed/);
    const shown = document(await coppice(place, ["show", join(RUNS, "2"), "--json", "--report"]));
    assert.deepEqual(shown.result, { sum: 506, failed: 0 });
    assert.equal(shown.page, join(RUNS, "2", "report.html"));
  });

  it("names the damaged line of a journal", async (t) => {
    const place = await copyOfRuns(t);
    const text = readFileSync(journalOf(place, "2"), "utf8");
    writeFileSync(journalOf(place, "2"), text.replace('"completed"', '"completeD"'));
    const { code, stderr } = await coppice(place, ["show", "2"]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^coppice: .*journal\.ndjson line \d+ \(byte \d+\) has checksum .*: the journal is damaged\n$/,
    );
  });
});

describe("coppice verify", { concurrency: 2 }, () => {
  it("says reproducible, after replaying the journal and evaluating a sample again", async (t) => {
    const place = await copyOfRuns(t);
    const before = readdirSync(join(place, RUNS, "2")).map((name) => name);
    const { stdout, code } = await coppice(place, ["verify", "2", "--sample", "5"]);
    assert.match(
      stdout,
      /^run 2 is reproducible: 12 tells replayed, 5 of 12 evaluations done again\n {2}digest [0-9a-f]{64}\n$/,
    );
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(join(place, RUNS, "2")), before);
  });

  it("finds a flipped byte by its checksum, and names the line", async (t) => {
    const place = await copyOfRuns(t);
    const bytes = readFileSync(journalOf(place, "2"));
    const at = bytes.indexOf('"type":"completed"') + 40;
    bytes[at] ^= 1;
    writeFileSync(journalOf(place, "2"), bytes);
    const { code, stderr, stdout } = await coppice(place, ["verify", "2"]);
    assert.deepEqual([code, stdout], [1, ""]);
    const line = bytes.subarray(0, at).toString("latin1").split("\n").length;
    assert.match(stderr, new RegExp(`^coppice: .*journal\\.ndjson line ${line} .*: the journal is damaged\\n$`));
  });

  it("names the task whose outcome was changed, even with a fitting checksum", async (t) => {
    const place = await copyOfRuns(t);
    changeOutcome(journalOf(place, "2"), "square-7", "50");
    const { code, stdout } = await coppice(place, ["verify", "2", "--all"]);
    assert.equal(code, 1);
    assert.match(stdout, /^run 2 is NOT reproducible\n/);
    assert.match(stdout, /task 7 \(key "square-7"\) is recorded with outcome 50, evaluating it again gives 49/);
    const { problems } = JSON.parse((await coppice(place, ["verify", "2", "--all", "--json"])).stdout) as {
      problems: { ask: number; what: string }[];
    };
    assert.deepEqual([problems[0].what, problems[0].ask], ["evaluation", 7]);
  });

  it("stops printing after twenty problems, and counts the rest", async (t) => {
    const place = temporaryDirectory(t);
    document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline", "--id", "r", "--option", "count=23"]));
    for (let n = 0; n < 23; n++) changeOutcome(journalOf(place, "r"), `square-${n}`, "-1");
    const { stdout } = await coppice(place, ["verify", "r", "--all", "--pool", "inline"]);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 22, stdout);
    assert.match(lines[21], /^ {2}… and \d+ more: --json has all$/);
  });

  it("says of a run that was stopped that it is reproducible so far", async (t) => {
    const { stdout, code } = await coppice(await copyOfRuns(t), ["verify", "stopped"]);
    assert.match(stdout, /^run stopped is not finished, but reproducible so far: 3 tells replayed/);
    assert.equal(code, 0);
  });

  it("refuses both --all and --sample, and a run it cannot rebuild", async (t) => {
    const place = await copyOfRuns(t);
    assertRefused(await coppice(place, ["verify", "2", "--all", "--sample", "3"]), /'--all' cannot be used with/);
    assertRefused(await coppice(place, ["verify", "2", "--sample", "-3"]), /'--sample <n>' argument '-3' is invalid/);
    assertRefused(await coppice(place, ["verify", "3"]), /there is no run 3 in \.coppice\/runs \(known: 2, 10, other/);
    const path = join(place, RUNS, "2", "run.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"tool": "run"', '"tool": "library"'));
    forgetRun(join(place, RUNS, "2"));
    assertRefused(await coppice(place, ["verify", "2"]), /run 2 was started by its own program/);
  });
});

describe("coppice diff", { concurrency: 2 }, () => {
  it("says that two runs are the same", async (t) => {
    const { stdout, code } = await coppice(await copyOfRuns(t), ["diff", "2", "10"]);
    assert.match(stdout, /^runs 2 and 10 are the same: 12 tells\n {2}digest [0-9a-f]{64}\n$/);
    assert.equal(code, 0);
  });

  it("names the first task where they differ, and the settings", async (t) => {
    const place = await copyOfRuns(t);
    const { stdout, code } = await coppice(place, ["diff", "2", "other"]);
    assert.match(
      stdout,
      /^runs 2 and other differ: first at task 5, which has a different outcome\n {2}2: 25\n {2}other: \{"type"/,
    );
    assert.match(stdout, /\n {2}options\.\S*failAt: -1 against 5/);
    assert.equal(code, 1);
    const { same, first } = JSON.parse((await coppice(place, ["diff", "2", "other", "--json"])).stdout) as {
      same: boolean;
      first: { ask: number };
    };
    assert.deepEqual([same, first.ask], [false, 5]);
  });
});

describe("coppice resume", { concurrency: 2 }, () => {
  it("continues a stopped run as it was started, after saying what it reuses and reruns, and why", async (t) => {
    const place = await copyOfRuns(t);
    rmSync(join(place, "broken"));
    const { stdout, stderr, code } = await coppice(place, ["resume", "stopped", "--workers", "2", "--json"]);
    assert.equal(code, 0, stderr);
    const said =
      /resumed: (\d+) outcomes reused from the journal, (\d+) tasks? to run again \(.*the last session stopped: task 3/;
    const [, reused, rerun] = (said.exec(stderr) ?? []).map(Number);
    assert.ok(reused >= 3 && rerun >= 1, stderr);
    assert.equal(reused + rerun, 12);
    const { result, resumed, digest } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(result, { sum: 506, failed: 0 });
    assert.equal((resumed as { reused: number }).reused, reused);
    const straight = document(await coppice(place, ["show", "2", "--json"])) as { end: { digest: string } };
    assert.equal(digest, straight.end.digest);
  });

  it("gives the result of a finished run again without evaluating anything", async (t) => {
    const place = await copyOfRuns(t);
    const { resumed, result } = document(await coppice(place, ["resume", "2", "--json"]));
    assert.deepEqual(
      [resumed, result],
      [
        { reused: 12, rerun: 0, reasons: [] },
        { sum: 506, failed: 0 },
      ],
    );
  });

  it("cuts an unfinished last line off and says so", async (t) => {
    const place = await copyOfRuns(t);
    appendFileSync(journalOf(place, "stopped"), '{"crc":"12');
    const { stderr } = await coppice(place, ["resume", "stopped", "--workers", "1"]);
    assert.match(stderr, /cut 10 bytes of an unfinished line off the journal's end/);
  });

  it("refuses a run from a newer version, a damaged one, and one that is no run", async (t) => {
    const place = await copyOfRuns(t);
    const path = join(place, RUNS, "2", "run.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"format": 1', '"format": 2'));
    const newer = /run\.json has format 2, this coppice reads up to 1: use the newer version/;
    for (const command of ["resume", "verify", "show"]) assertRefused(await coppice(place, [command, "2"]), newer);
    file(join(place, RUNS, "10"), "run.json", "{");
    assertRefused(await coppice(place, ["resume", "10"]), /run\.json is not JSON/);
    assertRefused(await coppice(place, ["resume", "../elsewhere"]), /there is no run \.\.\/elsewhere/);
    assertRefused(await coppice(place, ["resume"]), /missing required argument 'run'/);
    assertRefused(await coppice(place, ["resume", "other", "--seed", "3"]), /unknown option '--seed'/);
  });

  const asRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make a folder another user's" };
  it("refuses the usual place where a stranger made it, unless it is named", asRoot, async (t) => {
    const place = await copyOfRuns(t);
    for (const theirs of [".coppice", RUNS]) {
      chownSync(join(place, theirs), 65534, 65534);
      for (const command of [
        ["resume", "2"],
        ["verify", "2"],
        ["run", SQUARES],
      ]) {
        assertRefused(await coppice(place, command), /belongs to user 65534, .* name it with --run-dir \//);
      }
      document(await coppice(place, ["resume", "2", "--json", "--run-dir", join(place, RUNS)]));
      chownSync(join(place, theirs), 0, 0);
    }
    chownSync(place, 65534, 65534);
    chownSync(join(place, ".coppice"), 65534, 65534);
    document(await coppice(place, ["resume", "2", "--json"]));
  });

  it("refuses a run whose module is gone, says where it looked, and takes it from where it is now", async (t) => {
    const place = await copyOfRuns(t);
    const path = join(place, RUNS, "2", "run.json");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("squares.ts", "circles.ts"));
    forgetRun(join(place, RUNS, "2"));
    for (const command of ["resume", "verify"]) {
      const line = /run 2 has no module any more: it is not at .*circles\.ts.*; say where it is now with --module/;
      assertRefused(await coppice(place, [command, "2"]), line);
      assertRefused(await coppice(place, [command, "2", "--module", "nowhere.ts"]), /there is no module nowhere\.ts/);
      assert.equal((await coppice(place, [command, "2", "--module", SQUARES])).code, 0);
    }
    document(await coppice(place, ["tree", "run", "--dry-run", "--id", "t", "--max-depth", "1", "--json", "--quiet"]));
    assertRefused(
      await coppice(place, ["verify", "t", "--module", SQUARES]),
      /run t was made by "tree", not by a module/,
    );
  });

  it("finds the module again when the run, or the project with its runs, was moved", async (t) => {
    const place = temporaryDirectory(t);
    mkdirSync(join(place, "a", "node_modules"), { recursive: true });
    const packages = fileURLToPath(new URL("../../../../node_modules/@coppice", import.meta.url));
    symlinkSync(packages, join(place, "a", "node_modules", "@coppice"));
    cpSync(SQUARES, join(place, "a", "squares.ts"));
    const first = document(await coppice(join(place, "a"), ["run", "squares.ts", "--id", "r", "--json", "--quiet"]));
    renameSync(join(place, "a"), join(place, "b"));
    const again = document(await coppice(join(place, "b"), ["resume", "r", "--json", "--quiet"]));
    assert.equal(again.digest, first.digest);
    // The run's directory alone: found from where it was started.
    const away = join(place, "far", "away");
    mkdirSync(join(place, "far"));
    renameSync(join(place, "b", RUNS, "r"), away);
    assert.equal(document(await coppice(join(place, "b"), ["resume", away, "--json", "--quiet"])).digest, first.digest);
    assertRefused(await coppice(place, ["resume", away]), /run r has no module any more: it is not at .*squares\.ts/);
  });

  it("refuses a run that another process works on", async (t) => {
    const place = temporaryDirectory(t);
    const slow = ["--workers", "1", "--option", "delayMs=100", "--option", "count=10000"];
    launch(place, ["run", SQUARES, ...slow], {}, t);
    await journaled(join(place, RUNS, "1"), 1);
    assertRefused(await coppice(place, ["resume", "1"]), /is in use by pid \d+ on .*: wait until it ends, or end it/);
    const [run] = JSON.parse((await coppice(place, ["runs", "--json"])).stdout) as { state: string }[];
    assert.equal(run.state, "running");
  });
});
