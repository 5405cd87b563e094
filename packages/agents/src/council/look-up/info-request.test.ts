import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequests, preparedAnswer } from "./info-request.ts";

const none: ReadonlySet<string> = new Set();

test("C-02: a request is made once, however it is written and whoever makes it again", () => {
  const [first, ...others] = newRequests(
    [
      { by: "judge", text: "What is the budget?" },
      { by: "critic", text: "what is the BUDGET" },
      { by: "critic", text: " " },
    ],
    none,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(first?.by, ["judge", "critic"]);
  assert.deepEqual(newRequests([{ by: "skeptic", text: "What is the budget" }], new Set([first?.id ?? ""])), []);
});

test("C-09: what has a name in the code is looked up there, everything else is a person's to answer", () => {
  const kinds = newRequests(
    [
      { by: "a", text: "Where is `retryDelayMs` used in the code?" },
      { by: "a", text: "How many users do you have?" },
      { by: "a", text: "What does parse_header in src/http.ts return" },
      { by: "a", text: "Is there a deadline?" },
    ],
    none,
  ).map(({ kind, terms }) => [kind, terms]);
  assert.deepEqual(kinds, [
    ["code", ["retryDelayMs"]],
    ["person", []],
    ["code", ["parse_header", "src/http.ts"]],
    ["person", []],
  ]);
});

test("C-09: a prepared answer belongs to the request that contains its text", () => {
  const answers = { "the budget": "10,000", deadline: "May" };
  assert.equal(preparedAnswer("What is THE budget, roughly?", answers), "10,000");
  assert.equal(preparedAnswer("Who is on call?", answers), undefined);
});
