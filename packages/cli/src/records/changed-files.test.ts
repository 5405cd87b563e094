import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { random } from "@coppice/engine";
import { soak } from "@coppice/engine/soak";
import { assertRefused, coppice, document } from "../../test/coppice.ts";
import { copyOfRuns } from "../../test/recorded-runs.ts";

const RUNS = join(".coppice", "runs");

function edit(place: string, file: string, from: string | RegExp, to: string): void {
  const path = join(place, RUNS, file);
  const text = readFileSync(path, "utf8");
  const changed = text.replace(from, to);
  assert.notEqual(changed, text, `${file} has no ${from}`);
  writeFileSync(path, changed);
}

async function listed(place: string, id: string): Promise<{ readonly state: string; readonly message?: string }> {
  const { stdout } = await coppice(place, ["runs", "--json"]);
  const runs = JSON.parse(stdout) as readonly { id: string; state: string; message?: string }[];
  return runs.find((run) => run.id === id) ?? assert.fail(`runs does not list ${id}`);
}

/** What resume, verify, show and runs say of a run whose record is not the one its journal was begun with. */
async function assertFound(place: string, id: string, line: RegExp): Promise<void> {
  for (const command of ["resume", "verify", "show"]) assertRefused(await coppice(place, [command, id]), line);
  const { state, message } = await listed(place, id);
  assert.equal(state, "unreadable");
  assert.match(message ?? "", line);
}

describe("a run whose files were changed is found out", { concurrency: 2 }, () => {
  it("by a journal that is another run's", async (t) => {
    const place = await copyOfRuns(t);
    copyFileSync(join(place, RUNS, "10", "journal.ndjson"), join(place, RUNS, "2", "journal.ndjson"));
    await assertFound(place, "2", /journal\.ndjson is that of run 10, not of run 2/);
    // The same name and settings, another day.
    const again = await copyOfRuns(t);
    renameSync(join(again, RUNS, "2"), join(again, "aside"));
    document(await coppice(again, ["run", ...(await moduleOf(again)), "--id", "2", "--json", "--quiet"]));
    copyFileSync(join(again, RUNS, "2", "journal.ndjson"), join(again, "aside", "journal.ndjson"));
    assertRefused(await coppice(again, ["resume", join(again, "aside")]), /that of another run 2/);
  });

  it("by another seed, another value or another name of an option, other limits", async (t) => {
    for (const [from, to, line] of [
      [/"seed": \d+/, '"seed": 77', /run\.json has seed 77, run stopped was begun with \d+/],
      [/"count": \d+/, '"count": 13', /run\.json has changed since run stopped was begun \(options\)/],
      [/"count"/, '"cnunt"', /changed since run stopped was begun \(options\)/],
      [/"retries": 0/, '"retries": 9', /changed since run stopped was begun \(retries\)/],
      [/"tool": "run"/, '"tool": "tune"', /changed since run stopped was begun \(tool\)/],
    ] as const) {
      const place = await copyOfRuns(t);
      edit(place, join("stopped", "run.json"), from, to);
      await assertFound(place, "stopped", line);
    }
  });

  it("by an evaluator that is another run's, which accepted changes do not cover", async (t) => {
    const place = await copyOfRuns(t);
    const line = /run\.json has changed since run stopped was begun \(evaluator\)/;
    edit(place, join("stopped", "run.json"), /"version": "\w{16}"/, '"version": "0123456789abcdef"');
    await assertFound(place, "stopped", line);
    assertRefused(await coppice(place, ["resume", "stopped", "--accept-changes"]), line);
  });

  it("by a result that is not what the run ended with, which a resume writes again", async (t) => {
    for (const [from, to] of [
      [/"sum": \d+/, '"sum": 1'],
      [/"digest": "\w/, '"digest": "z'],
      [/"tells": \d+/, '"tells": 3'],
    ] as const) {
      const place = await copyOfRuns(t);
      const whole = readFileSync(join(place, RUNS, "2", "result.json"), "utf8");
      edit(place, join("2", "result.json"), from, to);
      assert.equal((await listed(place, "2")).state, "damaged");
      const shown = await coppice(place, ["show", "2"]);
      assert.match(shown.stdout, /result\.json is not what the run ended with/);
      assert.equal(shown.code, 1);
      const verified = await coppice(place, ["verify", "2"]);
      assert.match(verified.stdout, /NOT reproducible\n {2}.*result\.json is not what the run ended with/);
      assert.equal(verified.code, 1);
      const resumed = await coppice(place, ["resume", "2"]);
      assert.match(resumed.stderr, /result\.json is not what the run ended with: it was changed/);
      assert.equal(resumed.code, 0);
      assert.equal((await listed(place, "2")).state, "done");
      const again = readFileSync(join(place, RUNS, "2", "result.json"), "utf8");
      assert.equal(again.split('"journal"')[0], whole.split('"journal"')[0]);
      assert.equal((await coppice(place, ["verify", "2"])).code, 0);
    }
  });

  it("by a journal that was shortened after the run had finished, or a result that was cut", async (t) => {
    const place = await copyOfRuns(t);
    const journal = join(place, RUNS, "2", "journal.ndjson");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, `${lines.slice(0, -4).join("\n")}\n`);
    assert.match((await listed(place, "2")).message ?? "", /shortened or swapped/);
    assertRefused(await coppice(place, ["resume", "2"]), /shortened or swapped; put it back, or remove result\.json/);
    assert.equal((await coppice(place, ["verify", "2"])).code, 1);
    rmSync(join(place, RUNS, "2", "result.json"));
    document(await coppice(place, ["resume", "2", "--json"]));
    truncateSync(join(place, RUNS, "2", "result.json"), 40);
    assert.equal((await listed(place, "2")).state, "damaged");
    assert.equal((await coppice(place, ["verify", "2"])).code, 1);
    document(await coppice(place, ["resume", "2", "--json"]));
    assert.equal((await coppice(place, ["verify", "2"])).code, 0);
  });

  it("also when any one bit of run.json is flipped: refused, or the same answer", async (t) => {
    const place = await copyOfRuns(t);
    const path = join(place, RUNS, "stopped", "run.json");
    const bytes = readFileSync(path);
    const pristine = join(place, "pristine");
    cpSync(join(place, RUNS, "stopped"), pristine, { recursive: true });
    rmSync(join(place, "broken"));
    const { digest } = document(await coppice(place, ["resume", "stopped", "--json", "--pool", "inline"]));
    const flips = soak(25, 1000);
    for (let flip = 0; flip < flips; flip++) {
      rmSync(join(place, RUNS, "stopped"), { recursive: true });
      cpSync(pristine, join(place, RUNS, "stopped"), { recursive: true });
      const draw = random(11).at(`flip/${flip}`);
      const flipped = Buffer.from(bytes);
      const at = draw.integer(0, bytes.length - 1);
      flipped[at] ^= 1 << draw.integer(0, 7);
      writeFileSync(path, flipped);
      const ended = await coppice(place, ["resume", "stopped", "--json", "--pool", "inline", "--accept-changes"]);
      if (ended.code === 0) assert.equal(document(ended).digest, digest, `byte ${at}`);
      else assert.equal(ended.code, 2, `byte ${at}: ${ended.stderr}`);
    }
  });
});

/** The module and options with which run 2 was started. */
async function moduleOf(place: string): Promise<string[]> {
  const file = JSON.parse(readFileSync(join(place, "aside", "run.json"), "utf8")) as {
    options: { module: string; options: Record<string, unknown> };
    seed: number;
  };
  const options = Object.entries(file.options.options).flatMap(([name, value]) => ["--option", `${name}=${value}`]);
  return [join(place, RUNS, "2", file.options.module), "--seed", String(file.seed), ...options];
}
