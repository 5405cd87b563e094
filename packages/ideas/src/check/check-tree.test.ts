import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drySettings, grow, temporaryFolder } from "../../test/dry-tree.ts";
import { planted } from "../../test/public-repositories.ts";
import { SmallRepository } from "../../test/small-repository.ts";
import { chooseTree } from "../config/choose-tree.ts";
import { noiseText } from "../report/in-order.ts";
import { checkText } from "./check-text.ts";
import { checkTree } from "./check-tree.ts";
import { recordedParity, recordedParityText } from "./recorded-parity.ts";
import { remarksBeforehand } from "./remarks.ts";

const config = (sweep: string) =>
  JSON.stringify({
    ideas: { folder: "ideas" },
    steps: {
      implement: { command: `cat {idea} > value.txt; echo '{"cost": 0.5}'`, money: ".cost" },
      test: "true",
      sweep,
    },
    results: { format: "json" },
    score: { primary: "value", metrics: [{ column: "value", weight: 1, better: "higher" }] },
    search: { max_depth: 2, dedupe_scope: "accepted", parallel_backend: "inline" },
  });
const SWEEP = `echo "{\\"value\\": $(cat value.txt)}"`;

/** Everything in the checkout but git's objects, which its next "git gc" takes away. */
const filesOf = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".git/objects"))
    .sort();

async function checked(sweep: string, agent: boolean, change = (text: string) => text) {
  const ideas = Object.fromEntries(Object.keys(planted).map((name) => [`ideas/${name}`, "3\n"]));
  using repository = new SmallRepository({ "value.txt": "2\n", "coppice.tree.yaml": change(config(sweep)), ...ideas });
  const before = filesOf(repository.path);
  const chosen = await chooseTree(join(repository.path, "coppice.tree.yaml"), {});
  const check = await checkTree(chosen, { runs: join(repository.path, ".coppice/runs"), agent });
  assert.deepEqual(filesOf(repository.path), before);
  assert.deepEqual([repository.branches, repository.worktrees], [["main"], []]);
  return check;
}

test("a check tries every step, says what a whole run takes, and leaves nothing behind", async () => {
  const pretended = await checked(SWEEP, false);
  assert.deepEqual(
    pretended.steps.map(({ of, step }) => `${of} ${step}`),
    ["root sweep", "root sweep", "idea implement", "idea test", "idea sweep"],
  );
  assert.equal(pretended.problem, null);
  const text = checkText(pretended)
    .replaceAll(/\d+\.\d s/g, "T")
    .replaceAll(/about \d+s/g, "about T");
  assert.equal(
    text,
    `the code as it is: sweep T, sweep T; measured twice, it came out the same
a pretended idea: implement T, test T, sweep T
a whole run: at most 7 evaluations in 2 depths
  time: about T, besides what the agent takes
  cost: not known, as the agent was not asked: --agent lets it try one idea`,
  );
});

test("asked, the agent tries an idea, and its price is that of all; what fails is shown", async () => {
  const asked = await checked(SWEEP, true);
  assert.deepEqual(asked.full?.cost, { money: 3.5, tokens: 0 });
  assert.match(checkText(asked), /cost: money 3\.50, going by what the agent stated$/);
  const broken = await checked("echo no such thing >&2; exit 3", false);
  assert.match(
    checkText(broken),
    /a tree cannot be grown like this:\nthe root failed: StepFailed: sweep ended with exit code 3\n {2}\| no such thing$/,
  );
});

test("ideas that no node is offered are counted, and a price that was not found where it should be is named", async () => {
  const misspelt = (text: string) =>
    text.replace('".cost"', '".costs"').replace('"max_depth"', '"ideas_per_node":2,"max_depth"');
  const { remarks } = await checked(SWEEP, true, misspelt);
  assert.deepEqual(remarks, [
    `there are ${Object.keys(planted).length} ideas, and each node is offered the first 2 by name: --ideas-per-node ${Object.keys(planted).length} offers all`,
    "implement stated no money at .costs: no budget sees what it costs",
  ]);
  assert.deepEqual((await checked(SWEEP, true)).remarks, []);
});

test("a baseline that was measured once is said to show no noise, where somebody thought of noise or it would be missed", async () => {
  const remarksOf = async (rows: string, change: (text: string) => string) => {
    const ideas = { "ideas/a.md": "3\n" };
    const text = change(config("echo config_id,value > {results}; echo 0,$(cat value.txt) >> {results}")).replace(
      '"results":{"format":"json"},',
      "",
    );
    const files = {
      "value.txt": "2\n",
      "baseline.csv": `config_id,value\n${rows}`,
      "coppice.tree.yaml": text,
      ...ideas,
    };
    using repository = new SmallRepository(files);
    const remarks = remarksBeforehand(await chooseTree(join(repository.path, "coppice.tree.yaml"), {}));
    return remarks.map((line) => line.replace(/baseline .*\.csv is/, "baseline is"));
  };
  const given = (text: string) => text.replace('{"ideas"', '{"baseline":"baseline.csv","ideas"');
  const once = "the baseline is a single measurement, which does not show noise: ";
  const paired = (text: string) => given(text).replace("echo config_id", "echo {repeat}; echo config_id");
  const repeated = (text: string) => given(text).replace('"max_depth"', '"repeats":5,"max_depth"');
  const single = (text: string) => given(text).replace('"max_depth"', '"repeats":1,"least_gain":0.1,"max_depth"');
  const tolerant = (text: string) => given(text).replace('"primary"', '"primary_tolerance":0.1,"primary"');
  assert.deepEqual(await remarksOf("0,2\n", given), []);
  const again = `${once}the root is measured again, and the file is only where it starts`;
  assert.deepEqual(await remarksOf("0,2\n", repeated), [again]);
  assert.deepEqual(await remarksOf("0,2\n1,2\n", tolerant), [again]);
  assert.deepEqual(await remarksOf("0,2\n0,3\n", repeated), []);
  assert.deepEqual(await remarksOf("0,2\n", single), [
    `${once}and with search.repeats 1 its noise counts as a gain or a loss: leave search.repeats out`,
  ]);
  assert.deepEqual(await remarksOf("0,2\n", paired), [
    `${once}if it is of repeat 1, noise is not seen and everything is measured once: set search.repeats, or leave baseline out`,
  ]);
});

test("a metric that came out different beyond four digits is shown with all of them", () => {
  assert.equal(noiseText({ column: "ms", first: 159.61, again: 159.64 }), "ms came out 159.61, then 159.64");
  assert.equal(noiseText({ column: "ms", first: 1269.2, again: 1301 }), "ms came out 1,269, then 1,301");
});

test("a finished tree grows again from its recorded answers, several at once too; an unfinished one lacks some", async (t) => {
  const runRoot = join(temporaryFolder(t), "dry");
  await grow(runRoot, drySettings(), {
    onRun: (run) => run.subscribe((event) => event.type === "completed" && run.interrupt("enough")),
  });
  await assert.rejects(recordedParity(runRoot, 3), /run dry has not come to its end, so it lacks answers: resume it/);
  const { manifest } = await grow(runRoot, drySettings(), { resume: true });
  const parity = await recordedParity(runRoot, 3);
  assert.deepEqual([parity.same, parity.evaluations, parity.promotions], [true, 28, 6]);
  assert.equal(parity.digests.parallel, manifest.state.digest);
  assert.match(recordedParityText({ ...parity, same: false }), /^run dry, .* differs: digest [0-9a-f]{64} recorded/);
});
