import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Outcome } from "@coppice/engine";
import type { Consultation, ModelAnswer } from "../models/consultation.ts";
import { closeGateway, gatewayFor } from "../models/gateway.ts";
import { demoModels } from "../models/models-file.ts";
import { AskSearch } from "./ask-search.ts";
import { askText } from "./ask-text.ts";
import { confidenceLevel, reaches } from "./confidence-level.ts";
import type { AskResult, Question } from "./question.ts";
import { streamed } from "./streamed-ask.ts";

const question: Question = {
  query: "Shall we?",
  respondents: [
    { name: "judge", title: "The Judge", model: "local/m", instructions: "You judge.", opinion: true },
    { name: "critic", title: "The Critic", model: "local/n", instructions: "You attack.", opinion: true },
  ],
  stance: "neutral",
  steps: 1,
  targetConfidence: "high",
  tuning: { temperature: 0.2 },
};

const said = (content: string): Outcome<ModelAnswer> => ({
  ok: true,
  value: { content, reasoning: "hm", usage: { promptTokens: 10, answerTokens: 5 }, cost: 0.25, ms: 40 },
});
const reply = (confidence: number) => said(JSON.stringify({ verdict: "PROCEED", confidence, reasoning: "It holds." }));

/** Everything a search asks until it waits, with the ask numbers going on from `first`. */
function asked(search: AskSearch): Consultation[] {
  const consultations: Consultation[] = [];
  for (let proposal = search.ask(); proposal.kind === "candidate"; proposal = search.ask()) {
    consultations.push(proposal.candidate);
  }
  return consultations;
}

describe("a question to several", () => {
  it("O-02: asks everyone at once", () => {
    assert.deepEqual(
      asked(new AskSearch(question)).map(({ label, request }) => [label, request.model, request.temperature]),
      [
        ["judge", "local/m", 0.2],
        ["critic", "local/n", 0.2],
      ],
    );
  });

  it("O-03: gives verdict, confidence, tokens, money and time of each, and their sums", () => {
    const search = new AskSearch(question);
    asked(search);
    search.tell(reply(80), 0);
    search.tell({ ok: false, failure: { type: "HttpError", message: "500" } }, 1);
    const { query, model, results, summary } = search.result();
    assert.deepEqual([query, model], ["Shall we?", "local/m, local/n"]);
    assert.deepEqual(
      results.map(({ persona, ok, verdict, confidence, readFrom, error }) => [
        persona,
        ok,
        verdict,
        confidence,
        readFrom,
        error,
      ]),
      [
        ["judge", true, "PROCEED", 80, "json", null],
        ["critic", false, null, null, null, { type: "HttpError", message: "500" }],
      ],
    );
    assert.deepEqual(summary, { ok: 1, failed: 1, ms: 40, usage: { promptTokens: 10, answerTokens: 5 }, cost: 0.25 });
    assert.match(
      askText(search.result(), 0),
      /^── The Judge ── PROCEED, confidence 80\nIt holds\.\n\n── The Critic ── no answer\nHttpError: 500/,
    );
  });

  it("O-10: a stance is put before everything else, and neutral says nothing", () => {
    const system = (stance: Question["stance"]) =>
      asked(new AskSearch({ ...question, stance }))[0].request.messages[0].content;
    assert.match(system("for"), /^Take the side of the proposal: [\s\S]*You judge\./);
    assert.match(system("against"), /^Take the side against the proposal: [\s\S]*You judge\./);
    assert.match(system("neutral"), /^You judge\./);
  });

  it("O-10: asks again until it is sure enough or the steps are used up", () => {
    const search = new AskSearch({ ...question, steps: 3 });
    asked(search);
    search.tell(reply(30), 0);
    search.tell(reply(75), 1);
    const [second, ...none] = asked(search);
    assert.deepEqual([second.label, none.length], ["judge (step 2)", 0]);
    assert.deepEqual(
      second.request.messages.map(({ role }) => role),
      ["system", "user", "assistant", "user"],
    );
    assert.match(
      second.request.messages[3].content,
      /^Step 2 of at most 3\. Your confidence was low; the aim is high\./,
    );
    search.tell(reply(50), 2);
    assert.equal(asked(search)[0].label, "judge (step 3)");
    search.tell(reply(50), 3);
    assert.equal(search.ask().kind, "done");
    assert.deepEqual(
      search.result().results.map(({ steps, cost, ms }) => [steps, cost, ms]),
      [
        [3, 0.75, 120],
        [1, 0.25, 40],
      ],
    );
  });

  it("O-10: reads confidence from statements first, then from words, and takes it for medium otherwise", () => {
    const levels: [string, string][] = [
      ["CONFIDENCE: exploring", "exploring"],
      ["**Confidence:** High", "high"],
      ["confidence level = certain", "certain"],
      ["Confidence: 55%", "medium"],
      ['{"verdict":"STOP","confidence":92}', "certain"],
      ["VERDICT: STOP\nCONFIDENCE: 20", "low"],
      ["This is definitely so.", "certain"],
      ["Perhaps, perhaps not.", "low"],
      ["I am not sure at all.", "exploring"],
      ["It clearly helps.", "high"],
      ["It rains.", "medium"],
    ];
    for (const [text, level] of levels) assert.equal(confidenceLevel(text), level, text);
    assert.ok(reaches("high", "high") && reaches("certain", "low") && !reaches("medium", "high"));
  });

  it("asks the model as it is without a word of ours", () => {
    const [plain] = asked(
      new AskSearch({ ...question, respondents: [{ name: "model", title: "", model: "m", opinion: false }] }),
    );
    assert.deepEqual(plain.request.messages, [{ role: "user", content: "Shall we?" }]);
  });

  it("marks a proposal as data for personas", () => {
    const [first] = asked(new AskSearch(question));
    assert.match(first.request.messages[1].content, /<data-[0-9a-f]{12} name="proposal">\nShall we\?\n/);
  });
});

describe("an answer that is written as it comes", () => {
  const context = { models: demoModels.file, place: "the demo", timeoutMs: 1000, retries: 0, concurrency: 1 };
  const alone = {
    ...question,
    respondents: [{ name: "model", title: "", model: "demo/demo", opinion: false }],
  } as const;

  /** What is on the screen when these texts came in and the answer was this in the end. */
  async function screen(texts: readonly string[], outcome: Outcome<ModelAnswer>): Promise<string> {
    let written = "";
    const search = new AskSearch(alone);
    const shown = streamed<Consultation, ModelAnswer>(
      { search, evaluator: new URL("file:///none") } as never,
      { question: alone } as never,
      context,
      (text) => {
        written += text;
      },
    );
    shown?.begun?.({} as never, "", {} as never);
    for (const text of texts) gatewayFor(context).onText("", text);
    await closeGateway(context);
    asked(search);
    search.tell(outcome, 0);
    const described = shown?.describe?.(search.result() as AskResult, "") ?? "";
    return written + described;
  }

  it("is there whole, once", async () => {
    assert.equal(await screen(["\nIt", "\nIt is", "\nIt is so. "], said("It is so.")), "It is so.\n");
    assert.equal(await screen(["It is"], said("It is so.")), "It is so.\n");
    assert.equal(await screen([], said("It is so.")), "It is so.");
  });

  it("that was begun again or never ended is told apart", async () => {
    assert.equal(
      await screen(["It was", "No", "No."], said("No.")),
      "It was\n[the answer above broke off; the whole of it follows]\nNo.",
    );
    assert.equal(await screen(["It w"], { ok: false, failure: { type: "ModelTimeout", message: "late" } }), "It w\n");
  });

  it("is of one model alone", () => {
    assert.equal(
      streamed({} as never, { question } as never, context, () => {}),
      undefined,
    );
  });
});
