import assert from "node:assert/strict";
import { test } from "node:test";
import { pathProblem, readAnswer } from "./agent-answer.ts";

test("one JSON object, JSON lines and text are read by a map, without another program", () => {
  const one = JSON.stringify({
    result: "APPROVE",
    total_cost_usd: 0.25,
    session_id: "s-1",
    usage: { input_tokens: 10, output_tokens: 5 },
    is_error: false,
  });
  assert.deepEqual(
    readAnswer(one, {
      reply: ".result",
      money: ".total_cost_usd",
      session: ".session_id",
      tokens: [".usage.input_tokens", ".usage.output_tokens"],
      error: "[is_error=true].result",
    }),
    { reply: "APPROVE", session: "s-1", cost: { money: 0.25, tokens: 15 }, error: undefined },
  );
  const lines = [
    "a warning that is no JSON",
    '{"type":"thread.started","thread_id":"t-1"}',
    '{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}',
    '{"type":"item.completed","item":{"type":"agent_message","text":"done"}}',
    '{"type":"turn.completed","usage":{"input_tokens":7,"output_tokens":3}}',
    '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}',
  ].join("\n");
  assert.deepEqual(
    readAnswer(lines, {
      reply: "[type=item.completed][item.type=agent_message].item.text",
      session: ".thread_id",
      tokens: ["[type=turn.completed].usage.input_tokens", "[type=turn.completed].usage.output_tokens"],
      error: "[type=turn.failed].error.message",
    }),
    { reply: "done", session: "t-1", cost: { money: 0, tokens: 12 }, error: undefined },
  );
  const said = "Tokens: 1.2k sent, 34 received. Cost: $0.0100 message, $0.0300 session.\n";
  assert.deepEqual(
    readAnswer(said, {
      money: String.raw`/Cost: \$([\d.]+) message/`,
      tokens: ["/([\\d.,kM]+) sent/", "/([\\d.,kM]+) received/"],
    }),
    { reply: undefined, session: undefined, cost: { money: 0.01, tokens: 1234 }, error: undefined },
  );
  const stats = JSON.stringify({
    response: "ok",
    stats: { models: { a: { tokens: { total: 5 } }, b: { tokens: { total: 6 } } } },
  });
  assert.equal(readAnswer(stats, { tokens: [".stats.models.*.tokens.total"] }).cost.tokens, 11);
});

test("a reply that is missing, and an error that is said, fail the step; a path that cannot be read is refused", () => {
  assert.equal(readAnswer("Segmentation fault", { reply: ".result" }).error, "there is no .result in what it printed");
  assert.equal(
    readAnswer('{"is_error":true,"result":"limit reached"}', { error: "[is_error=true].result" }).error,
    "limit reached",
  );
  // Of several places, the first that says something.
  const places = ["[is_error=true].errors[0]", "[is_error=true].result", "[is_error=true].subtype"];
  const why = (answer: object) => readAnswer(JSON.stringify(answer), { error: places }).error;
  assert.equal(why({ is_error: true, errors: [], subtype: "error_max_turns" }), "error_max_turns");
  assert.equal(why({ is_error: true, result: "API Error", subtype: "success" }), "API Error");
  assert.equal(why({ is_error: false, result: "done", subtype: "success" }), undefined);
  assert.deepEqual([".a.b", ".a[0]", "[type=x].y.*", "/a(b)/"].map(pathProblem), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assert.match(pathProblem("result") ?? "", /must be a path such as \.result/);
  assert.match(pathProblem("/(/") ?? "", /is not a regular expression/);
});

test("why a program failed is found in its standard error too, between lines that are chatter; half an answer is none", () => {
  const map = { reply: ".response", error: ".error.message" };
  const complaint = `Attempt 1 failed.\n${JSON.stringify({ error: { message: "no quota" } }, null, 2)}\nBye.\n`;
  assert.equal(readAnswer("", map, complaint).error, "no quota");
  assert.equal(readAnswer("", map, "Terminated\n").error, undefined);
  const answer = JSON.stringify({ response: "fine", stats: {} }, null, 2);
  assert.equal(readAnswer(`Loaded.\n${answer}\n`, map).reply, "fine");
  assert.equal(readAnswer(answer.slice(0, -4), map).error, "there is no .response in what it printed");
});
