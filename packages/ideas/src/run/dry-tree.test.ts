import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PoolFactory } from "@coppice/engine";
import { drySettings, essence, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { shuffledPool } from "../../test/shuffled-pool.ts";
import { pretend } from "../dry-run/pretend.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { summaryText } from "../report/summary-text.ts";
import { manifestOf, readTree } from "./recorded-tree.ts";

const promotions = ({ nodes }: Manifest) =>
  Object.values(nodes).flatMap(({ node_id, artifacts }) =>
    artifacts.promoted_from_eval_id === null ? [] : [`${artifacts.promoted_from_eval_id} -> ${node_id}`],
  );

const GOLDEN = ["0007 -> 0001", "0001 -> 0002", "0006 -> 0003", "0014 -> 0004", "0021 -> 0005", "0028 -> 0006"];

test("T-36: the golden dry run, serial and with four workers, is one tree with one digest", async (t) => {
  const folder = temporaryFolder(t);
  const serial = await grow(join(folder, "serial"), drySettings());
  const parallel = await grow(
    join(folder, "parallel"),
    drySettings({ work: { maxParallelEvals: 4, parallelBackend: "threads" } }),
  );
  assert.deepEqual(promotions(serial.manifest), GOLDEN);
  assert.equal(Object.keys(serial.manifest.evaluations).length, 28);
  assert.deepEqual(essence(parallel), essence(serial));
  assert.ok(serial.end.state === "done" && parallel.end.state === "done");
  assert.equal(parallel.end.digest, serial.end.digest);
});

test("T-40: a dry run touches neither git nor anything outside its folder", async (t) => {
  const folder = temporaryFolder(t);
  await grow(join(folder, "run"), drySettings());
  assert.deepEqual(readdirSync(folder), ["run"]);
  for (const name of ["wt", "cand", "eval", "node_ideas"]) assert.ok(!existsSync(join(folder, "run", name)), name);
});

test("T-10, B14: the manifest is JSON for every reader: numbers are finite or null, keys are sorted", async (t) => {
  const folder = temporaryFolder(t);
  const { manifest } = await grow(join(folder, "run"), drySettings());
  const text = readFileSync(join(folder, "run", "manifest.json"), "utf8");
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(manifest)));
  assert.doesNotMatch(text, /Infinity|NaN/);
  assert.equal(manifest.evaluations["0004"].decision.rank_score, 0.01, "a missing score falls back to the delta");
  const keys = [...text.matchAll(/^ {2}"([a-z_]+)":/gm)].map(([, key]) => key);
  assert.deepEqual(keys, keys.toSorted());
  assert.ok(!readdirSync(join(folder, "run")).some((name) => name.endsWith(".draft")));
});

test("the manifest at the end is what the journal alone gives", async (t) => {
  const folder = temporaryFolder(t);
  const { manifest } = await grow(join(folder, "run"), drySettings());
  assert.deepEqual(manifestOf(readTree(join(folder, "run"))), manifest);
});

test("T-33: the summary has counters, timing and attempts, and is a function of the manifest", async (t) => {
  const folder = temporaryFolder(t);
  const { manifest } = await grow(join(folder, "run"), drySettings());
  const text = readFileSync(join(folder, "run", "TREE_SUMMARY.md"), "utf8");
  assert.equal(summaryText(JSON.parse(readFileSync(join(folder, "run", "manifest.json"), "utf8")) as Manifest), text);
  assert.match(text, /^\| 0 \| 7 \| 0 \| 0 \| 7 \| 0 \| 7 \| 0 \| 0 \| 7 \| {2}\|$/m);
  assert.match(text, /^\| 1 \| 21 \| 0 \| 0 \| 21 \| 0 \| 21 \| 0 \| 0 \| 21 \| {2}\|$/m);
  assert.match(
    text,
    /^\| 0007 \| 0 \| 0000 \| idea_007.md \| completed \| 1 \| \S+ \| \S+ \| \d+\.\d{3} \| pass \| 1\.0000 \| score \+1\.0 against its parent \| {2}\| {2}\| 0001 \|/m,
  );
  assert.equal(manifest.state.stop_reason, "max_depth_reached");
});

test("T-31: every event is one line of JSON, with depth, evaluation, node, attempt and reason", async (t) => {
  const folder = temporaryFolder(t);
  await grow(join(folder, "run"), drySettings());
  const lines = readFileSync(join(folder, "run", "logs", "run_events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const events = lines.map((line) => JSON.parse(line) as { event: string; payload: Record<string, unknown> });
  const count = (name: string) => events.filter(({ event }) => event === name).length;
  assert.equal(count("scheduler_queued"), 28);
  assert.equal(count("scheduler_started"), 28);
  assert.equal(count("scheduler_completed"), 28);
  assert.equal(count("promotion"), 6);
  const started = events.find(({ event }) => event === "scheduler_started");
  assert.deepEqual(started?.payload, {
    depth: 0,
    eval_id: "0001",
    parent_node_id: "0000",
    attempt: 1,
    reason: null,
  });
});

test("T-08: one at a time, events come in the order of the evaluations", async (t) => {
  const folder = temporaryFolder(t);
  const { manifest } = await grow(join(folder, "run"), drySettings());
  const order = manifest.events
    .filter(({ type }) => /^scheduler_(started|completed)$/.test(type))
    .map(({ type, details }) => `${type} ${details.eval_id}`);
  const serial = Array.from({ length: 28 }, (_, i) => String(i + 1).padStart(4, "0"));
  assert.deepEqual(
    order,
    serial.flatMap((id) => [`scheduler_started ${id}`, `scheduler_completed ${id}`]),
  );
});

test("T-02: all evaluations of a depth are in the journal before the first is started", async (t) => {
  const folder = temporaryFolder(t);
  const journal = join(folder, "run", "journal.ndjson");
  const before = new Map<string, readonly string[]>();
  const shuffled = shuffledPool(2, (task) => pretend(drySettings(), task));
  const pool: PoolFactory = {
    ...shuffled,
    open: (job, listener) => {
      const opened = shuffled.open(job, listener);
      const submit: typeof opened.submit = (task) => {
        const known = readFileSync(journal, "utf8").match(/"eval\/\d+\/\d+\/\d+"/g) ?? [];
        before.set(task.key, [...new Set(known)]);
        opened.submit(task);
      };
      return { ...opened, submit };
    },
  };
  await grow(join(folder, "run"), drySettings(), { pool });
  assert.equal(before.get("eval/0/0000/0001")?.length, 7);
  assert.equal(before.get("eval/1/0001/0008")?.length, 28);
});
