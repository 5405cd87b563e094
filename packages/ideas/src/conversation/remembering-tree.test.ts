import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { soak } from "@coppice/engine/soak";
import { drySettings, essence, type GrownTree, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { growElsewhere, growReal, realSettings, runRootOf } from "../../test/real-tree.ts";
import { pretendRemembering } from "../../test/remembering-evaluator.ts";
import { shuffledPool } from "../../test/shuffled-pool.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { until } from "../../test/small-run.ts";
import { manifestOf, readTree } from "../run/recorded-tree.ts";
import { resumedSettings } from "../run/tree-settings.ts";
import type { TreeSettings, TreeShape, TreeWork } from "../settings.ts";
import { validateTree } from "../validate/validate-tree.ts";

const generator = fileURLToPath(new URL("../../test/remembering-generator.mjs", import.meta.url));

/** Two ideas per node, two nodes per depth, two depths; the generator remembers what it has offered. */
function rememberingSettings(
  repository: SmallRepository,
  id: string,
  changes: { readonly shape?: Partial<TreeShape>; readonly work?: Partial<TreeWork>; readonly sessions?: boolean } = {},
): TreeSettings {
  const environment = changes.sessions === true ? { COPPICE_TEST_SESSIONS: "1" } : {};
  const command = [process.execPath, generator];
  return realSettings(
    repository,
    {},
    {
      id,
      config: { ideas: { kind: "command", step: { command, timeoutMs: null, environment } } },
      shape: { ideasPerNode: 2, beamWidth: 2, dedupeScope: "node_plus_ancestors", ...changes.shape },
      work: { maxDepth: 2, ...changes.work },
    },
  );
}

const offered = ({ manifest }: Pick<GrownTree, "manifest">, runRoot: string) =>
  Object.values(manifest.evaluations).map(({ parent_node_id, idea_path }) => [
    parent_node_id,
    readFileSync(join(runRoot, idea_path), "utf8").trim(),
  ]);

/** Every conversation file but the logs, which have times, and the drafts a kill may leave. */
function files(runRoot: string): Record<string, string> {
  const folder = join(runRoot, "conversations");
  const names = readdirSync(folder).filter((name) => !name.endsWith(".draft"));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

test("T-01, T-23: a generator that remembers offers a child what its branch has not heard, one by one and four at once alike", async () => {
  using repository = new SmallRepository();
  const both = [1, 4].map((atOnce) =>
    rememberingSettings(repository, `by-${atOnce}`, { work: { maxParallelEvals: atOnce } }),
  );
  const [serial, parallel] = [await growReal(repository, both[0]), await growReal(repository, both[1])];
  const [serialRoot, parallelRoot] = both.map((settings) => runRootOf(repository, settings));
  assert.deepEqual(offered(serial, serialRoot), [
    ["0000", "2"],
    ["0000", "3"],
    ["0001", "4"],
    ["0001", "5"],
    ["0002", "4"],
    ["0002", "5"],
  ]);
  assert.deepEqual(essence(parallel), essence(serial));
  assert.deepEqual(files(parallelRoot), files(serialRoot));
  assert.ok(serial.end.state === "done" && parallel.end.state === "done" && serial.end.digest === parallel.end.digest);

  const { nodes, evaluations, conversations, conversation_config } = serial.manifest;
  assert.deepEqual(
    ["0000", "0001", "0002"].map((id) => [
      nodes[id].conversation_id,
      nodes[id].expansion_seed_turn_id,
      nodes[id].latest_conversation_turn_id,
    ]),
    [
      ["c0000", null, "c0000.2"],
      ["c0001", "c0000.2", "c0001.2"],
      ["c0002", "c0000.2", "c0002.2"],
    ],
  );
  assert.equal(nodes["0003"].conversation_id, null);
  assert.deepEqual(
    [evaluations["0004"].idea_generation_conversation_id, evaluations["0004"].idea_generation_turn_id],
    ["c0001", "c0001.2"],
  );
  assert.equal(conversations.c0001.parent_conversation_id, "c0000");
  assert.equal(conversations.c0001.session_id, "session-0001");
  assert.deepEqual(conversation_config, {
    mode: "auto",
    history_window_turns: 12,
    history_max_chars: 20_000,
    debug_log_jsonl_path: "logs/conversations",
  });
  const log = readFileSync(join(serialRoot, "logs/conversations/c0002.jsonl"), "utf8").trim().split("\n");
  assert.deepEqual(
    log.map((line) => JSON.parse(line).turn_id),
    ["c0002.1", "c0002.2"],
  );
  assert.match(readFileSync(join(serialRoot, "TREE_SUMMARY.md"), "utf8"), /\| c0001 \| c0000\.2 \| c0001\.2 \|/);
  assert.deepEqual(await validateTree(readTree(serialRoot)), []);
});

test("without history, or with too little of it, the generator repeats itself, and what it repeats is skipped", async () => {
  using repository = new SmallRepository();
  const off = rememberingSettings(repository, "off", { shape: { ideaHistoryWindowTurns: 0 } });
  const forgetful = await growReal(repository, off);
  assert.deepEqual(offered(forgetful, runRootOf(repository, off)), [
    ["0000", "2"],
    ["0000", "3"],
  ]);
  assert.equal(forgetful.manifest.nodes["0001"].dedupe.skipped.length, 2);
  const short = rememberingSettings(repository, "short", { shape: { ideaHistoryWindowTurns: 1 } });
  const [, , third] = offered(await growReal(repository, short), runRootOf(repository, short));
  assert.deepEqual(third, ["0001", "4"]);
});

test("native: a child's first call forks the session its parent's reported; two children do not hear each other", async () => {
  using repository = new SmallRepository();
  const settings = rememberingSettings(repository, "native", {
    shape: { ideaConversationMode: "native" },
    sessions: true,
  });
  const grown = await growReal(repository, settings);
  assert.deepEqual(
    offered(grown, runRootOf(repository, settings)).slice(2),
    ["0001", "0002"].flatMap((node) => [
      [node, "4"],
      [node, "5"],
    ]),
  );
  assert.equal(readFileSync(join(repository.folder, "session-0000.ndjson"), "utf8"), "2\n3\n");
  assert.equal(readFileSync(join(repository.folder, "session-0002.ndjson"), "utf8"), "2\n3\n4\n5\n");
});

test("T-37, T-13: killed while a child's generator thinks and resumed: the same conversations, and no call that was heard is made again", async () => {
  using repository = new SmallRepository();
  const whole = rememberingSettings(repository, "whole");
  const serial = await growReal(repository, whole);
  rmSync(join(repository.folder, "calls.log"));

  const settings = rememberingSettings(repository, "killed", { work: { maxParallelEvals: 2 } });
  const runRoot = runRootOf(repository, settings);
  writeFileSync(join(repository.folder, "hang-0002"), "");
  const coordinator = growElsewhere(repository, settings);
  const calls = () => {
    const path = join(repository.folder, "calls.log");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  };
  assert.ok(
    await until(
      () =>
        calls().includes("0002") &&
        [...readTree(runRoot).journal.tasks.values()].some(({ key, final }) => key === "ideas/1/0001" && final),
      60_000,
    ),
  );
  coordinator.kill("SIGKILL");
  await once(coordinator, "exit");
  rmSync(join(repository.folder, "hang-0002"));
  const resumed = await growReal(repository, settings, { resume: true });
  assert.deepEqual(essence(resumed), essence(serial));
  assert.deepEqual(files(runRoot), files(runRootOf(repository, whole)));
  assert.deepEqual(calls().toSorted(), ["0000", "0001", "0002", "0002"]);
  assert.ok(resumed.end.state === "done" && serial.end.state === "done" && resumed.end.digest === serial.end.digest);
});

test("a conversation's file that is broken is put aside and written again from the journal, and the event says so", async () => {
  using repository = new SmallRepository();
  const settings = rememberingSettings(repository, "broken", { work: { maxDepth: 1 } });
  await growReal(repository, settings);
  const runRoot = runRootOf(repository, settings);
  const before = files(runRoot);
  const path = join(runRoot, "conversations/c0000.json");
  for (const half of [before["c0000.json"].slice(0, 100), '{"conversation_id":"c0007"}']) {
    writeFileSync(path, half);
    assert.match(
      (await validateTree(readTree(runRoot)))[0].message,
      /^conversations\/c0000\.json does not match the journal/,
    );
    const grown = await growReal(repository, settings, { resume: true });
    assert.equal(readFileSync(path, "utf8"), before["c0000.json"]);
    const events = grown.manifest.events.filter(({ type }) => type === "conversation_json_recovery");
    assert.equal(events.at(-1)?.details.conversation_id, "c0000");
  }
  assert.deepEqual(readdirSync(join(runRoot, "conversations")).sort(), [
    "c0000.json",
    "c0000.json.corrupt_1",
    "c0000.json.corrupt_2",
    "c0000_summary.md",
  ]);
  const logged = readFileSync(join(runRoot, "logs/run_events.jsonl"), "utf8");
  assert.equal(logged.match(/"event":"conversation_json_recovery"/g)?.length, 2);
  assert.deepEqual(await validateTree(readTree(runRoot)), []);
  assert.equal(
    manifestOf(readTree(runRoot)).events.filter(({ type }) => type === "conversation_json_recovery").length,
    2,
  );
});

test("--force-regenerate-ideas asks again in the same conversation: other ideas, nothing written over, all of them evaluated", async () => {
  using repository = new SmallRepository();
  const settings = rememberingSettings(repository, "again", {
    sessions: true,
    work: { maxDepth: 1, maxTotalIdeaEvals: 1 },
  });
  const runRoot = runRootOf(repository, settings);
  await growReal(repository, settings);
  const { journal } = readTree(runRoot);
  const resuming = { choices: { maxTotalIdeaEvals: 9 }, force: false, rerunEvals: false, regenerateIdeas: true, at: 0 };
  const further = resumedSettings(settings, journal, resuming);
  const grown = await growReal(repository, further, { resume: true });
  assert.deepEqual(
    offered(grown, runRoot).map(([, value]) => value),
    ["2", "3", "4", "5"],
  );
  assert.deepEqual(grown.manifest.nodes["0000"].generated_idea_files, [
    "node_ideas/0000/001.md",
    "node_ideas/0000/002.md",
    "node_ideas/0000/001_2.md",
    "node_ideas/0000/002_2.md",
  ]);
  const { c0000 } = grown.manifest.conversations;
  assert.deepEqual([c0000.session_id, c0000.latest_turn_id], ["session-0000", "c0000.4"]);
  assert.equal(grown.manifest.evaluations["0004"].idea_generation_turn_id, "c0000.4");
  assert.deepEqual(await validateTree(readTree(runRoot)), []);
  assert.throws(() => resumedSettings(further, readTree(runRoot).journal, resuming), /nothing to regenerate/);
  const folder = { ...settings, config: { ...settings.config, ideas: { kind: "folder" as const, path: "x" } } };
  assert.throws(
    () => resumedSettings(folder, journal, resuming),
    /takes its ideas from a folder: there is no generator/,
  );
});

test("T-23: what is remembered, and so the tree, is the same for random completion orders", async (t) => {
  const folder = temporaryFolder(t);
  const evaluator = new URL("../../test/remembering-evaluator.ts", import.meta.url);
  const settings = drySettings({ work: { maxDepth: 3 } });
  const serial = await grow(join(folder, "serial"), settings, { evaluator });
  assert.equal(Object.keys(serial.manifest.conversations).length, 7);
  assert.equal(new Set(Object.values(serial.manifest.evaluations).map(({ idea_path }) => idea_path)).size, 49);
  for (let seed = 0; seed < soak(2, 60); seed++) {
    const runRoot = join(folder, `${seed}`);
    const pool = shuffledPool(seed, (task) => pretendRemembering(settings, task));
    const shuffled = await grow(runRoot, settings, { evaluator, pool });
    assert.deepEqual(shuffled.manifest.conversations, serial.manifest.conversations, `seed ${seed}`);
    assert.deepEqual(files(runRoot), files(join(folder, "serial")), `files of seed ${seed}`);
    assert.ok(
      shuffled.end.state === "done" && serial.end.state === "done" && shuffled.end.digest === serial.end.digest,
    );
  }
});
