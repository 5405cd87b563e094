import assert from "node:assert/strict";
import { it } from "node:test";
import { wrongField } from "@coppice/engine/files";
import { z } from "zod";

const words = z.union([z.string(), z.array(z.string())]);
const range = z.strictObject({ name: z.string(), min: z.number(), max: z.number() });
const choice = z.strictObject({ name: z.string(), values: z.array(z.number()).min(1) });
const shape = z.strictObject({ step: words.optional(), parameters: z.array(z.union([range, choice])).optional() });

const wrong = (given: unknown) => wrongField(shape.safeParse(given).error?.issues ?? [], "the file");

it("says what was expected, and where, also of what may have several shapes", () => {
  assert.equal(wrong(7), "the file: expected object, received number");
  assert.equal(wrong({ step: 7 }), "step: expected string or array");
  assert.equal(wrong({ step: ["a", 7] }), "step.1: expected string, received number");
  assert.equal(wrong({ parameters: [7] }), "parameters.0: expected object");
  const oneEnd = { name: "a", min: 1 };
  assert.equal(wrong({ parameters: [oneEnd] }), "parameters.0.max: expected number, received undefined");
  assert.match(wrong({ parameters: [{ name: "a", values: [] }] }), /^parameters\.0\.values: /);
  assert.match(wrong({ other: 1 }), /^the file: Unrecognized key: "other"/);
});
