import assert from "node:assert/strict";
import { test } from "node:test";
import { dealModels } from "./agenda.ts";
import { recruit, recruitFor } from "./recruitment.ts";

const library = ["judge", "critic", "skeptic", "oracle", "innovator", "security", "legal", "ux", "advocate", "thinker"];

const keywords: Readonly<Record<string, readonly string[]>> = {
  security: ["password", "token"],
  legal: ["licence"],
  advocate: ["user"],
  oracle: ["big picture"],
};

test("C-08: a persona that is known joins once, while there is a seat", () => {
  const call = (by: string, name: string) => ({ by, call: { persona: name, why: "because" } });
  const decided = recruit(
    [
      call("judge", "security"),
      call("critic", "security"),
      call("critic", "judge"),
      call("judge", "wizard"),
      call("judge", "ux"),
      call("judge", "legal"),
    ],
    ["judge", "critic"],
    { library: library.map((name) => ({ name, prompt: "" })), maxSize: 4 },
  );
  assert.deepEqual(
    decided.map(({ persona, by, outcome }) => [persona, by, outcome]),
    [
      ["security", "judge", "joins"],
      ["judge", "critic", "already here"],
      ["wizard", "judge", "not in the library"],
      ["ux", "judge", "joins"],
      ["legal", "judge", "council is full"],
    ],
  );
});

test("C-08: the recruiter seats judge, critic and whom the words call for, the same every time", () => {
  const recruitable = library.map((name) => ({ name, keywords: keywords[name] ?? [] }));
  const proposal = "Store passwords and tokens of users under a new licence";
  assert.deepEqual(recruitFor(proposal, recruitable, 8), ["judge", "critic", "security", "legal", "advocate"]);
  assert.deepEqual(recruitFor("Paint it", recruitable, 8), ["judge", "critic", "skeptic", "oracle", "innovator"]);
  assert.deepEqual(recruitFor("A big  picture", recruitable, 3), ["judge", "critic", "oracle"]);
});

test("C-04: models are dealt by seed and round, fairly, and a persona's own model stays", () => {
  const seats = Array.from({ length: 5 }, () => ({}));
  const deal = (seed: number, round: number) => dealModels(seats, ["m1", "m2", "m3"], { seed, round });
  assert.deepEqual(deal(7, 1), deal(7, 1));
  const deals = new Set(Array.from({ length: 20 }, (_, round) => JSON.stringify(deal(7, round))));
  assert.ok(deals.size > 1, "rounds are dealt differently");
  const counts = Object.values(Object.groupBy(deal(7, 1), (model) => model)).map((group) => group?.length);
  assert.deepEqual(counts.toSorted(), [1, 2, 2]);
  const [own] = dealModels([{ model: "mine" }], ["m1"], { seed: 1, round: 1 });
  assert.equal(own, "mine");
});
