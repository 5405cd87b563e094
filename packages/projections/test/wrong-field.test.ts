import assert from "node:assert/strict";
import { it } from "node:test";
import { wrongField } from "@coppice/engine/files";
import { z } from "zod";

const words = z.union([z.string(), z.array(z.string())]);
const range = z.strictObject({ name: z.string(), min: z.number(), max: z.number() });
const choice = z.strictObject({ name: z.string(), values: z.array(z.number()).min(1) });
const shape = z.strictObject({
  step: z.union([words, z.strictObject({ command: words })]).optional(),
  parameters: z.array(z.union([range, choice])).optional(),
});

const wrong = (given: unknown) => wrongField(shape.safeParse(given).error?.issues ?? [], "the file");

it("says what was expected, and where, also of what may have several shapes", () => {
  assert.equal(wrong(7), "the file: it must be an object { … }, not a number");
  assert.match(wrong({ step: 7 }), /^step: it must be a text in quotes or a list \[ … \]/);
  assert.equal(wrong({ step: {} }), "step.command: it is missing; give a text in quotes or a list [ … ]");
  assert.equal(wrong({ step: ["a", 7] }), "step.1: it must be a text in quotes, not a number");
  assert.equal(wrong({ parameters: [7] }), "parameters.0: it must be an object { … }");
  const oneEnd = { name: "a", min: 1 };
  assert.equal(wrong({ parameters: [oneEnd] }), "parameters.0.max: it is missing; give a number");
  assert.match(wrong({ parameters: [{ name: "a", values: [] }] }), /^parameters\.0\.values: /);
  assert.match(wrong({ other: 1 }), /^the file: unknown field "other"/);
});
