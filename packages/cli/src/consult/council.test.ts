import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { CouncilAccount, CouncilResult } from "@coppice/agents/council";
import type { Behaviour } from "@coppice/agents/practice-server";
import { readJournal } from "@coppice/engine/records";
import {
  assertRefused,
  coppice,
  document,
  ended,
  file,
  journaled,
  launch,
  temporaryDirectory,
} from "../../test/coppice.ts";
import { practice } from "../../test/practice.ts";
import { labelOf, practiceCouncil } from "../../test/practice-council.ts";

const opinion = (verdict: string, more: object = {}) =>
  JSON.stringify({ verdict, confidence: 80, conviction: 90, reasoning: `because ${verdict}`, ...more });
const synthesis = (verdict: string, more: object = {}) =>
  JSON.stringify({ verdict, confidence: 70, reasoning: "all in all", next: "CONTINUE", ...more });

/** Judge and critic who never agree. */
function divided(label: string): string {
  if (label.endsWith("arbiter")) return synthesis("STOP");
  return opinion(label.endsWith("judge") ? "PROCEED" : "STOP");
}

const two = ["--personas", "judge,critic"];

test("a council prints its verdict, who said what, the minority, and where the record is", async (t) => {
  const { place: directory } = await practiceCouncil(t, (call) => divided(labelOf(call)));
  const { code, stdout } = await coppice(directory, ["council", ...two, "--max-rounds", "2", "Do it"]);
  assert.equal(code, 0);
  assert.match(stdout, /^STOP \(confidence 70\): the council ran out of rounds after 2 rounds\n {2}! not converged/);
  assert.match(stdout, /member +round 1 +round 2\njudge +PROCEED 80\/90 +PROCEED 80\/90\n/);
  assert.match(stdout, /Minority report\n {2}judge: PROCEED\. because PROCEED/);
  assert.match(
    stdout,
    /6 calls · [\d,]+ tokens asked, [\d,]+ answered · \$0\.0\d+\nat most 2 rounds \(flag\), threshold [\d.]+ \(timekeeper\)/,
  );
  const record = JSON.parse(readFileSync(join(directory, ".coppice/runs/1/council.json"), "utf8")) as CouncilResult;
  assert.equal(record.rounds.length, 2);
});

test("C-05: --json says which settings were used and where they came from, and what speculation cost", async (t) => {
  const { place: directory, server } = await practiceCouncil(t, (call) => {
    const label = labelOf(call);
    const answer: Behaviour = {
      kind: "answer",
      content: divided(label),
      latencyMs: label.endsWith("arbiter") ? 80 : 10,
    };
    if (label === "round 1: arbiter") return { ...answer, content: synthesis("STOP", { next: "CONCLUDE" }) };
    return label.startsWith("round 2") ? { ...answer, latencyMs: 5000 } : answer;
  });
  const flags = ["--convergence-threshold", "0.9", "--speculate", "--json"];
  const printed = document(await coppice(directory, ["council", ...two, ...flags, "Fix the typo in the README"]));
  const {
    settings,
    ended: how,
    speculativeWaste: waste,
    speculation,
  } = printed as unknown as CouncilResult & CouncilAccount;
  assert.deepEqual(settings.threshold, { value: 0.9, from: "flag" });
  assert.deepEqual(settings.maxRounds, { value: 2, from: "timekeeper" });
  assert.equal(how, "concluded");
  assert.deepEqual(speculation, { started: 1, kept: 0, discarded: 1 });
  const record = JSON.parse(readFileSync(join(directory, ".coppice/runs/1/council.json"), "utf8")) as CouncilAccount;
  assert.deepEqual(record.speculation, speculation, "on record, for pages");
  assert.deepEqual([waste.calls, waste.answered, waste.aborted], [2, 0, 2]);
  assert.ok(waste.stoppedCost > 0, "prompts of stopped requests are paid for");
  const [first, second] = server.calls.filter((call) => labelOf(call).startsWith("round 2"));
  assert.ok(first?.closedAtMs !== undefined && second?.closedAtMs !== undefined, "closed at the server");
});

test("C-16: killed in the middle of a paid council and resumed, no request is repeated that was answered", async (t) => {
  let slow = true;
  const { place: directory, server } = await practiceCouncil(t, (call) => {
    const label = labelOf(call);
    const stuck = slow && (label === "round 2: arbiter" || label === "round 3: critic");
    return stuck ? { kind: "silence" } : divided(label);
  });
  const args = ["council", ...two, "--max-rounds", "3", "--speculate", "Do it"];
  const child = launch(directory, args, {}, t);
  const over = ended(child);
  const run = join(directory, ".coppice/runs/1");
  // Two rounds, one synthesis, and one early answer of round 3; the rest of it is under way.
  await journaled(run, 6);
  child.kill("SIGKILL");
  await over;

  const answered: string[] = [];
  readJournal(join(run, "journal.ndjson"), (entry) => {
    if (entry.type === "completed") answered.push(entry.key.replace(/ \w+$/, ""));
  });
  assert.ok(answered.includes("round 3: judge"), "an early answer had been paid for");
  const record = JSON.parse(readFileSync(join(run, "council.json"), "utf8")) as CouncilResult;
  assert.deepEqual([record.rounds.length, record.ended], [1, "unfinished"], "the record holds what was decided so far");

  slow = false;
  const before = server.calls.length;
  const { stdout, code } = await coppice(directory, ["resume", "1"]);
  assert.equal(code, 0);
  const repeated = server.calls.slice(before).map(labelOf);
  assert.deepEqual(
    repeated.filter((label) => answered.includes(label)),
    [],
  );
  assert.deepEqual(repeated.toSorted(), ["round 2: arbiter", "round 3: arbiter", "round 3: critic"]);
  assert.match(stdout, /^STOP .* after 3 rounds/);

  const verified = await coppice(directory, ["verify", "1"]);
  assert.match(verified.stdout, /run 1 is reproducible: 9 tells replayed, 0 of/);
  assert.equal(server.calls.length, before + 3, "verifying asks nobody");
});

test("Ctrl-C ends a council with what it has, and it can be resumed", async (t) => {
  let slow = true;
  const { place: directory, server } = await practiceCouncil(t, (call) => {
    const label = labelOf(call);
    return slow && label.startsWith("round 2") ? { kind: "silence" } : divided(label);
  });
  const child = launch(directory, ["council", ...two, "--max-rounds", "2", "Do it"], {}, t);
  const over = ended(child);
  while (server.calls.filter((call) => labelOf(call).startsWith("round 2")).length < 2) await sleep(5);
  child.kill("SIGINT");
  const { code, stdout, stderr } = await over;
  assert.equal(code, 130);
  assert.match(stdout, /unfinished: the council was stopped before it had decided/);
  assert.match(stderr, /continue it with: coppice resume 1/);
  slow = false;
  assert.match((await coppice(directory, ["resume", "1"])).stdout, /^STOP .* after 2 rounds/);
});

test("C-09: --answers answers members' questions, and code is looked up where it may be", async (t) => {
  const asks = { info_needed: ["What is the budget?", "Where is `launchRocket` in the code?"] };
  const { place: directory, server } = await practiceCouncil(t, (call) => {
    const label = labelOf(call);
    return label === "round 1: critic" ? opinion("STOP", asks) : divided(label);
  });
  file(directory, "rocket.ts", "export function launchRocket() {}\n");
  const answers = file(directory, "answers.json", '{"the budget": "ten thousand"}');
  const base = ["council", ...two, "--max-rounds", "2", "--answers", answers];
  const first = await coppice(directory, [...base, "Do it"]);
  assert.match(first.stdout, /What is the budget\? \(prepared answers\)/);
  const promptOf = (label: string) =>
    server.calls.findLast((call) => labelOf(call) === label)?.body.messages[1]?.content;
  assert.match(promptOf("round 2: judge") ?? "", /ten thousand[\s\S]*rocket\.ts:1: export function launchRocket/);
  const second = await coppice(directory, [...base, "--no-search", "Do it"]);
  assert.match(second.stdout, /launchRocket` in the code\? \(no answer: no code to search\)/);
});

test("C-06: a council nobody answers fails with exit code 1", async (t) => {
  const { place: directory } = await practiceCouncil(t, () => ({ kind: "status", status: 401 }));
  const { code, stdout } = await coppice(directory, ["council", ...two, "--retries", "0", "Do it"]);
  assert.equal(code, 1);
  assert.match(stdout, /^NO VERDICT, degraded: the council failed/);
});

test("--max-cost: what does not fit is not asked, and the council says so", async (t) => {
  const { place: directory, server } = await practiceCouncil(t, (call) => divided(labelOf(call)));
  const held = async (limit: string) =>
    coppice(directory, ["council", ...two, "--max-tokens", "100", "--max-cost", limit, "Do it"]);
  const nothing = await held("0.000001");
  assert.equal(nothing.code, 1);
  assert.match(nothing.stdout, /failed: no member of the council could be asked: OverBudget: the budget of \$0\.0000/);
  assert.equal(server.calls.length, 0);
  const { stdout, code } = await held("0.001");
  assert.equal(code, 0);
  assert.match(
    stdout,
    /degraded: the council stopped at its cost cap after 1 round\n {2}! cost cap of \$0\.001 reached/,
  );
  assert.equal(server.calls.length, 1, "neither the second member nor the arbiter is asked");
});

test("what cannot be is refused in one line, before anything is asked or written", async (t) => {
  const { place: directory, server } = await practiceCouncil(t, () => "");
  const refused = async (args: readonly string[], line: RegExp) =>
    assertRefused(await coppice(directory, ["council", ...args]), line);
  await refused([...two, ""], /the proposal is empty/);
  await refused(["--preset", "huge", "x"], /no preset "huge"; there are: comprehensive, quick/);
  await refused(["--personas", "judge,wizard", "x"], /no persona or preset "wizard" \(personas: judge, critic/);
  await refused([...two, "--preset", "quick", "x"], /cannot be used with/);
  await refused([...two, "--recruit", "x"], /cannot be used with/);
  await refused(["--personas", "arbiter", "x"], /arbiter serves the council and has no seat/);
  await refused([...two, "--max-rounds", "0", "x"], /max-rounds/);
  await refused([...two, "--convergence-threshold", "1.5", "x"], /convergence-threshold/);
  await refused([...two, "--max-cost", "0", "x"], /max-cost/);
  await refused([...two, "--max-size", "1", "x"], /2 members do not fit/);
  await refused([...two, "--answers", "missing.json", "x"], /--answers missing\.json: there is no such file/);
  file(directory, "wrong.json", "[1]");
  await refused([...two, "--answers", "wrong.json", "x"], /should hold an object of texts/);
  await refused([...two, "--search", "nowhere", "x"], /--search nowhere: there is no such directory/);
  await refused([...two, "--arbiter", "nobody", "x"], /no model "nobody"/);
  assert.equal(server.calls.length, 0);
  assert.ok(!existsSync(join(directory, ".coppice")));
  const elsewhere = temporaryDirectory(t);
  assertRefused(
    await coppice(elsewhere, ["council", "x"], { OPENROUTER_API_KEY: "" }),
    /no key for .*OPENROUTER_API_KEY/,
  );
});

test("a dry run prints round one's exact requests and sends nothing", async (t) => {
  const { place: directory, server } = await practiceCouncil(t, () => "");
  const { requests } = document(await coppice(directory, ["council", ...two, "--dry-run", "--json", "Do it"]));
  assert.deepEqual(
    (requests as { label: string }[]).map(({ label }) => label),
    ["round 1: judge", "round 1: critic"],
  );
  assert.equal(server.calls.length, 0);
});

test("a council is not continued without its key, and goes on once it is there", async (t) => {
  const key = { PRACTICE_KEY: "sesame" };
  const { place, server } = await practice(
    t,
    { key: key.PRACTICE_KEY, respond: (call) => ({ kind: "answer", content: divided(labelOf(call)), latencyMs: 200 }) },
    { provider: { keyVariable: "PRACTICE_KEY" } },
  );
  const args = ["council", ...two, "--max-rounds", "2", "Do it"];
  assertRefused(await coppice(place, args), /no key for local\/plain-1: set PRACTICE_KEY/);
  const child = launch(place, args, key, t);
  const over = ended(child);
  await journaled(join(place, ".coppice/runs/1"), 2);
  child.kill("SIGKILL");
  await over;
  const before = server.calls.length;
  assertRefused(await coppice(place, ["resume", "1"]), /no key for local\/plain-1: set PRACTICE_KEY/);
  assert.equal(server.calls.length, before);
  assert.match((await coppice(place, ["resume", "1"], key)).stdout, /after 2 rounds/);
  assert.ok(!readFileSync(join(place, ".coppice/runs/1/journal.ndjson"), "utf8").includes("sesame"));
});
