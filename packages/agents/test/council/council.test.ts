import assert from "node:assert/strict";
import { test } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import type { CouncilSetup } from "../../src/council/council-setup.ts";
import { hold, reply, setupOf } from "./hold-council.ts";
import { FAILS, type Script } from "./scripted-evaluator.ts";

const sums = (verdict: string, next = "CONTINUE", more = "") =>
  `VERDICT: ${verdict}\nCONFIDENCE: 75\nREASONING: summed up\nNEXT: ${next}\n${more}`;

const divided: Script["replies"] = {
  judge: reply("PROCEED"),
  critic: reply("STOP"),
  arbiter: sums("CONDITIONAL_GO"),
};

test("a council that agrees is over after one round, with the arbiter's verdict", async () => {
  const replies = { judge: reply("PROCEED"), critic: reply("PROCEED"), arbiter: sums("PROCEED") };
  const { result } = await hold(setupOf(["judge", "critic"]), { replies });
  assert.equal(result.ended, "converged");
  assert.deepEqual([result.verdict, result.confidence, result.decidedBy], ["PROCEED", 75, "arbiter"]);
  assert.deepEqual([result.rounds.length, result.degraded, result.labels], [1, false, []]);
  assert.deepEqual(result.totals.calls, 3);
});

test("C-02: a request nobody can answer, made in every round, does not keep an agreed council together", async () => {
  const more = "INFO_NEEDED:\n- What is the deadline?\nESCALATE_TO: board - not mine to decide";
  const replies = { judge: reply("PROCEED", 90, 90, more), critic: reply("PROCEED"), arbiter: sums("PROCEED") };
  const { result } = await hold(setupOf(["judge", "critic"]), { replies });
  assert.equal(result.ended, "converged");
  assert.equal(result.rounds.length, 1);
  assert.deepEqual(result.rounds[0]?.convergence.converged, false, "pending requests blocked it before the synthesis");
  assert.deepEqual(
    result.rounds[0]?.info.map(({ answer, from }) => [answer, from]),
    [[null, "nobody to ask"]],
  );
  assert.deepEqual(
    result.rounds[0]?.escalations.map(({ ruling }) => ruling),
    [null],
  );
});

test("C-02: a request repeated in other words each round ends with the last round", async () => {
  const ask = (n: number) => reply("STOP", 80, 80, `INFO_NEEDED: question ${n}?`);
  const replies = { ...divided, "round 1: critic": ask(1), "round 2: critic": ask(2), "round 3: critic": ask(3) };
  const { result } = await hold(setupOf(["judge", "critic"]), { replies });
  assert.deepEqual([result.ended, result.rounds.length], ["max-rounds", 3]);
  assert.match(result.labels.join(), /not converged after 3 rounds/);
});

test("C-03: a stalemate ends the council at once, and is called one", async () => {
  const replies = { judge: reply("PROCEED", 80, 40), critic: reply("STOP", 80, 40), arbiter: sums("STOP") };
  const { result } = await hold(setupOf(["judge", "critic"]), { replies });
  assert.deepEqual([result.ended, result.rounds.length], ["stalemate", 1]);
  assert.match(result.labels.join(), /stalemate/);
});

test("C-05: the settings that were used are in the result, with where they came from", async () => {
  const { result } = await hold(setupOf(["judge"], { threshold: { value: 0.65, from: "timekeeper" } }), {
    replies: { judge: reply("STOP"), arbiter: sums("STOP") },
  });
  assert.deepEqual(result.settings.threshold, { value: 0.65, from: "timekeeper" });
  assert.deepEqual(result.settings.maxRounds, { value: 3, from: "flag" });
});

test("C-06: a member that fails abstains, and the result says so", async () => {
  const replies = {
    judge: reply("PROCEED"),
    critic: `${FAILS}503`,
    skeptic: reply("PROCEED"),
    arbiter: sums("PROCEED"),
  };
  const { result } = await hold(setupOf(["judge", "critic", "skeptic"]), { replies });
  const critic = result.rounds[0]?.statements[1];
  assert.deepEqual(
    [critic?.opinion.verdict, critic?.opinion.confidence, critic?.failed],
    ["ABSTAIN", 0, "HttpError: 503"],
  );
  assert.deepEqual([result.ended, result.verdict, result.degraded], ["converged", "PROCEED", true]);
  assert.match(result.labels.join(), /1 of 3 members could not be asked/);
});

test("C-06: fewer answers than the quorum are no decision; none at all is a failure", async () => {
  const replies = { judge: reply("PROCEED"), critic: `${FAILS}503`, skeptic: `${FAILS}503`, arbiter: sums("PROCEED") };
  const few = await hold(setupOf(["judge", "critic", "skeptic"]), { replies });
  assert.equal(few.result.ended, "no-quorum");
  assert.match(few.result.labels.join(), /no quorum: 2 of 3/);
  const some = await hold(setupOf(["judge", "critic", "skeptic"], { quorum: 0.3 }), { replies });
  assert.notEqual(some.result.ended, "no-quorum");
  const none = await hold(setupOf(["critic", "skeptic"]), { replies });
  assert.deepEqual([none.result.ended, none.result.verdict, none.result.totals.calls], ["all-failed", null, 2]);
});

test("C-07: the arbiter is tried twice, then its fallback, then the numbers speak and say so", async () => {
  const replies = { judge: reply("STOP"), critic: reply("STOP"), arbiter: "I would rather not say." };
  const { result, asked } = await hold(setupOf(["judge", "critic"]), { replies });
  const models = asked
    .filter(({ label }) => label.endsWith("arbiter"))
    .map((c) => c.kind === "model" && c.request.model);
  assert.deepEqual(models, ["m0", "m0", "m9"]);
  assert.deepEqual([result.verdict, result.decidedBy, result.degraded], ["STOP", "statistics", true]);
  assert.equal(result.rounds[0]?.synthesis?.trouble.length, 3);
  assert.match(result.labels.join(), /degraded: the arbiter could not be asked/);
});

test("C-07: the arbiter comes last and reads the whole reasoning, cut only by its budget", async () => {
  const long = "x".repeat(5000);
  const endless = "y".repeat(50_000);
  const replies = {
    judge: reply("STOP").replace("because of STOP", long),
    critic: reply("STOP").replace("because of STOP", endless),
    arbiter: sums("STOP"),
  };
  const { asked } = await hold(setupOf(["judge", "critic"]), { replies });
  const last = asked.at(-1);
  assert.equal(last?.label, "round 1: arbiter");
  const prompt = last?.kind === "model" ? (last.request.messages[1]?.content ?? "") : "";
  assert.ok(prompt.includes(long));
  assert.ok(!prompt.includes("y".repeat(12_001)) && prompt.includes("[… cut]"));
});

test("C-08: who is called in joins the next round once, and is asked", async () => {
  const replies = {
    ...divided,
    judge: reply("PROCEED", 80, 80, "RECRUITS: Security - tokens\nRECRUITS: ux"),
    security: reply("STOP"),
  };
  const { result, asked } = await hold(setupOf(["judge", "critic"], { maxRounds: { value: 2, from: "flag" } }), {
    replies,
  });
  assert.deepEqual(result.personas, ["judge", "critic", "security"]);
  assert.deepEqual(
    result.rounds[0]?.recruitments.map(({ persona, outcome }) => [persona, outcome]),
    [["security", "joins"]],
  );
  assert.deepEqual(
    result.rounds[1]?.recruitments.map(({ outcome }) => outcome),
    ["already here"],
  );
  assert.ok(asked.some(({ label }) => label === "round 2: security"));
});

test("C-09: prepared answers reach every member in the next round, unanswered requests are closed", async () => {
  const replies = {
    ...divided,
    "round 1: critic": reply("STOP", 80, 80, "INFO_NEEDED:\n- What is the budget?\n- Who decides?"),
  };
  const { asked, result } = await hold(setupOf(["judge", "critic"], { answers: { "the budget": "ten thousand" } }), {
    replies,
  });
  const second = asked.find(({ label }) => label === "round 2: judge");
  const prompt = second?.kind === "model" ? (second.request.messages[1]?.content ?? "") : "";
  assert.match(prompt, /What is the budget\?: ten thousand/);
  assert.match(prompt, /Who decides\?: nobody could answer this/);
  assert.deepEqual(
    result.rounds[0]?.info.map(({ from }) => from),
    ["prepared answers", "nobody to ask"],
  );
});

test("round two shows a member what the others said, in 200 characters, and hides its own words", async () => {
  const replies = { ...divided, judge: reply("PROCEED").replace("because of PROCEED", `own words ${"a".repeat(400)}`) };
  const { asked } = await hold(setupOf(["judge", "critic"]), { replies });
  const promptOf = (label: string) => {
    const found = asked.find((candidate) => candidate.label === label);
    return found?.kind === "model" ? (found.request.messages[1]?.content ?? "") : "";
  };
  assert.ok(!promptOf("round 2: judge").includes("own words"));
  assert.match(promptOf("round 2: judge"), /Round 1, critic: STOP, confidence 80: because of STOP/);
  assert.match(promptOf("round 2: critic"), /own words a{190}…/);
});

test("an escalation is put to the arbiter, whose ruling everybody hears", async () => {
  const replies = {
    ...divided,
    "round 1: critic": reply("STOP", 80, 80, "ESCALATE_TO: board - not ours"),
    "round 1: arbiter": sums("STOP", "CONTINUE", "RULINGS:\n- critic - it is ours after all"),
  };
  const { asked, result } = await hold(setupOf(["judge", "critic"]), { replies });
  assert.equal(result.rounds[0]?.escalations[0]?.ruling, "it is ours after all");
  const next = asked.find(({ label }) => label === "round 2: judge");
  assert.match(
    next?.kind === "model" ? (next.request.messages[1]?.content ?? "") : "",
    /board: not ours: it is ours after all/,
  );
});

test("C-18: those who disagree to the end are reported in their own words", async () => {
  const { result } = await hold(setupOf(["judge", "critic"]), { replies: { ...divided, arbiter: sums("PROCEED") } });
  assert.deepEqual(
    result.minority.map(({ persona, verdict, reasoning }) => [persona, verdict, reasoning]),
    [["critic", "STOP", "because of STOP"]],
  );
});

test("C-10: speculation starts the next round before the synthesis is told, and keeps it", async () => {
  const { asked, speculation } = await hold(setupOf(["judge", "critic"], { speculate: true }), { replies: divided });
  const labels = asked.map(({ label }) => label);
  assert.ok(labels.indexOf("round 2: judge") > labels.indexOf("round 1: arbiter"));
  assert.deepEqual(speculation, { started: 2, kept: 2, discarded: 0 });
  assert.equal(asked.filter(({ label }) => label === "round 2: judge").length, 1, "asked once");
});

test("C-11: when the arbiter concludes, the round ahead leaves no trace in the history", async () => {
  const replies = { ...divided, arbiter: sums("STOP", "CONCLUDE") };
  const { result, speculation } = await hold(setupOf(["judge", "critic"], { speculate: true }), { replies });
  assert.deepEqual([result.ended, result.rounds.length], ["concluded", 1]);
  assert.deepEqual(speculation, { started: 1, kept: 0, discarded: 1 });
  assert.equal(result.totals.calls, 3);
});

test("C-12: a changed context discards the round ahead: a member called in, a ruling, a look-up that finds something", async () => {
  const setup = setupOf(["judge", "critic"], { speculate: true, lookUp: { code: true, person: true } });
  const escalates = reply("STOP", 80, 80, "ESCALATE_TO: board - not ours");
  const asks = reply("STOP", 80, 80, "INFO_NEEDED:\n- Where is `retry` in the code?\n- Is there a deadline?");
  const cases: readonly (readonly [string, Script["replies"], number])[] = [
    ["recruit", { "round 1: arbiter": sums("STOP", "CONTINUE", "RECRUITS: ux - screens"), ux: reply("STOP") }, 1],
    [
      "ruling",
      { "round 1: critic": escalates, "round 1: arbiter": sums("STOP", "CONTINUE", "RULINGS: critic - ours") },
      1,
    ],
    ["code", { "round 1: critic": asks, "look up: Where is `retry` in the code?": "src/retry.ts:3" }, 1],
    ["person", { "round 1: critic": asks, "look up: Is there a deadline?": "in May" }, 1],
    ["nothing found", { "round 1: critic": asks }, 0],
  ];
  for (const [name, replies, discarded] of cases) {
    const script = { replies: { ...divided, ...replies } };
    const held = await hold(setup, script);
    assert.equal(held.speculation.discarded, discarded, name);
    assert.equal(held.speculation.started, held.speculation.kept + discarded, name);
    const plain = await hold({ ...setup, speculate: false }, script);
    assert.deepEqual(held.result, plain.result, name);
    assert.equal(held.digest, plain.digest, name);
  }
});

test("C-14: never more than one round ahead, none past the last, none that the cost cap does not cover", async () => {
  const names = ["judge", "critic"];
  const { asked } = await hold(setupOf(names, { speculate: true }), { replies: divided });
  assert.ok(asked.every(({ label }) => !label.startsWith("round 4")));
  const first = (label: string) => asked.findIndex((candidate) => candidate.label === label);
  assert.ok(first("round 3: judge") > first("round 2: arbiter"), "round 3 only after round 2 was heard");

  const script = { replies: divided, cost: 1 };
  const capped = setupOf(names, { speculate: true, maxCost: 4 });
  const { speculation, result } = await hold(capped, script);
  assert.equal(speculation.started, 0, "2 spent, 2 more for the next round are not below 4");
  assert.deepEqual([result.ended, result.rounds.length, result.totals.cost], ["cost-cap", 2, 5]);
  assert.match(result.labels.join(), /cost cap of \$4/);
  assert.equal((await hold(setupOf(names, { speculate: true, maxCost: 100 }), script)).speculation.started, 2);
});

const someReply = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom("PROCEED", "STOP", "CONDITIONAL_GO", "ABSTAIN"),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        fc.constantFrom(
          "",
          "",
          "RECRUITS: ux - x",
          "INFO_NEEDED: Is there a deadline?",
          "INFO_NEEDED:\n- see `retry` in the code\n- what budget?",
          "ESCALATE_TO: board - why",
        ),
      )
      .map(([v, a, b, more]) => reply(v, a, b, more)),
  },
  { weight: 1, arbitrary: fc.constant(`${FAILS}500`) },
  { weight: 1, arbitrary: fc.constant("no format at all") },
);
const someSynthesis = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("PROCEED", "STOP"),
        fc.constantFrom("CONTINUE", "CONTINUE", "CONCLUDE"),
        fc.constantFrom("", "", "RECRUITS: security - x", "RULINGS: judge - ours"),
      )
      .map(([v, next, more]) => sums(v, next, more)),
  },
  { weight: 1, arbitrary: fc.constantFrom("nothing", `${FAILS}timeout`) },
);
const names = ["judge", "critic", "skeptic"];
const someScript = fc.record(
  Object.fromEntries([
    ...[1, 2, 3].flatMap((round) => [...names, "ux", "security"].map((name) => [`round ${round}: ${name}`, someReply])),
    ...[1, 2, 3].map((round) => [`round ${round}: arbiter`, someSynthesis]),
    ["look up: Is there a deadline?", fc.constantFrom("", "May")],
    ["look up: see `retry` in the code", fc.constantFrom("", "src/a.ts:1")],
    ["look up: what budget?", fc.constantFrom("", `${FAILS}no terminal`, "10")],
  ]),
);

test("C-13: result, told history and digest are the same with and without speculation, whatever is said", async () => {
  const setup = (speculate: boolean): CouncilSetup =>
    setupOf(names, { speculate, lookUp: { code: true, person: true }, threshold: { value: 0.75, from: "flag" } });
  await fc.assert(
    fc.asyncProperty(someScript, async (replies) => {
      const plain = await hold(setup(false), { replies });
      const early = await hold(setup(true), { replies });
      assert.deepEqual(early.result, plain.result);
      assert.equal(early.digest, plain.digest);
      const { started, kept, discarded } = early.speculation;
      assert.equal(started, kept + discarded);
    }),
    { numRuns: soak(25, 600) },
  );
});

test("C-13: a line that is too short for a whole round changes nothing either", async () => {
  const setup = setupOf(names, { speculate: true, lookUp: { code: true, person: true } });
  await fc.assert(
    fc.asyncProperty(someScript, fc.integer({ min: 1, max: 4 }), async (replies, lookahead) => {
      const wide = await hold({ ...setup, speculate: false }, { replies });
      const narrow = await hold(setup, { replies }, { lookahead });
      assert.deepEqual(narrow.result, wide.result);
      assert.equal(narrow.digest, wide.digest);
    }),
    { numRuns: soak(10, 200) },
  );
});
