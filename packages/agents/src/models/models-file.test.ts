import assert from "node:assert/strict";
import { it } from "node:test";
import { chooseModel } from "./choose-model.ts";
import { parseModels } from "./models-file.ts";

const provider = "providers: { x: { baseUrl: 'http://127.0.0.1:1/v1' } }";
const model = (entry: string) => `${provider}\nmodels: { a: ${entry} }`;

const wrong: readonly (readonly [string, string])[] = [
  ["models: {}", "providers: it is missing; give an object { … }"],
  ["", "the file: it must be an object { … }, not null"],
  ["providers: { x: text }", "providers.x: it must be an object { … }"],
  ["providers: { x: { command: 5 } }", "providers.x.command: it must be a text in quotes or a list [ … ]"],
  ["providers: { x: { demo: maybe } }", "providers.x.demo: it must be true"],
  [`${provider}\ndefaults: a`, 'the file: unknown field "defaults"'],
  [`${provider}\npool: a`, "pool: it must be a list [ … ], not a text in quotes"],
  [model("text"), "models.a: it must be an object { … }, not a text in quotes"],
  [model("{ provider: x, model: m, price: 3 }"), "models.a.price: it must be an object { … }, not a number"],
  [model("{ provider: x, model: m, price: { input: -1, output: 1 } }"), "models.a.price.input: it must be 0 or more"],
  [model("{ provider: x, model: m, price: { input: 1 } }"), "models.a.price.output: it is missing; give a number"],
  [model("{ provider: y, model: m }"), 'models.a.provider: there is no provider "y"; there are: x'],
];

it("says in plain words what is wrong in a models file, and where", () => {
  for (const [text, line] of wrong) {
    assert.throws(() => chooseModel(parseModels(text, "m.yaml"), "m.yaml", {}, {}), { message: `m.yaml: ${line}` });
  }
});
