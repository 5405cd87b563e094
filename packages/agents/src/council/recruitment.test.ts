import assert from "node:assert/strict";
import { test } from "node:test";
import { dealModels } from "./deal-models.ts";
import { recruit, recruitFor } from "./recruitment.ts";

const library = ["judge", "critic", "skeptic", "oracle", "innovator", "security", "legal", "ux", "advocate", "thinker"];

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
    { seated: ["judge", "critic"], library, maxSize: 4 },
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

test("C-08: the recruiter seats judge, critic and whom the words ask for, the same every time", () => {
  const proposal = "Store passwords of users under a new licence";
  const seats = recruitFor(proposal, library);
  assert.deepEqual(seats, ["judge", "critic", "security", "legal", "advocate", "innovator"]);
  assert.deepEqual(recruitFor("Paint it", library), ["judge", "critic", "skeptic", "oracle", "innovator"]);
});

test("C-04: models are dealt by seed and round, fairly, and a persona's own model stays", () => {
  const personas = ["a", "b", "c", "d", "e"].map((name) => ({ name }));
  const deal = (seed: number, round: number) => dealModels(personas, ["m1", "m2", "m3"], { seed, round });
  assert.deepEqual(deal(7, 1), deal(7, 1));
  const deals = new Set(Array.from({ length: 20 }, (_, round) => JSON.stringify(deal(7, round))));
  assert.ok(deals.size > 1, "rounds are dealt differently");
  const counts = Object.values(Object.groupBy(deal(7, 1), ({ model }) => model)).map((group) => group?.length);
  assert.deepEqual(counts.toSorted(), [1, 2, 2]);
  const [own] = dealModels([{ name: "a", model: "mine" }], ["m1"], { seed: 1, round: 1 });
  assert.equal(own?.model, "mine");
});
