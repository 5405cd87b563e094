import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSchema, shapedAnswer } from "./answer-schema.ts";

describe("a schema for answers", () => {
  const refused: readonly (readonly [schema: string, why: RegExp])[] = [
    ['{"required":"name"}', /required: it must be a list, not a text$/],
    ['{"required":[1]}', /required\[0\]: it must be a text, not a number$/],
    ['{"type":"object","properties":{"a":{"type":"text"}}}', /properties\.a\.type: it must be one of "array", /],
    ['{"properties":[1]}', /properties: it must be an object, not a list$/],
    ['{"items":{"properties":{"a":5}}}', /items\.properties\.a: it must be an object or true or false, not a number$/],
    ['{"properties":{"a":{"minLength":-1}}}', /properties\.a\.minLength: it must be >= 0$/],
    ['{"pattern":"("}', /Invalid regular expression/],
    ['{"properties":{"a":{"$ref":"#/$defs/none"}}}', /can't resolve reference #\/\$defs\/none/],
    ['{"$ref":"http://localhost/x.json"}', /can't resolve reference http/],
    ['{"$ref":"#"}', /it refers to itself without end$/],
    ["[]", /there is no such file/],
    ["{", /not JSON/],
  ];
  for (const [schema, why] of refused) {
    it(`is refused when it cannot be followed: ${schema}`, () => {
      assert.throws(() => readSchema(schema), { name: "UsageError", message: why });
    });
  }

  const wrong: readonly (readonly [schema: string, answer: string, why: string])[] = [
    ['{"required":["a"]}', "{}", "a: it is missing"],
    ['{"properties":{"a":{"type":"string"}}}', '{"a":[1]}', "a: it must be a text, not a list"],
    ['{"items":{"type":"integer"}}', "[1, 2.5]", "[1]: it must be a whole number, not a number"],
    ['{"minimum":3}', "1", "the value: it must be >= 3"],
    ['{"enum":["yes","no"]}', '"maybe"', 'the value: it must be one of "yes", "no", not "maybe"'],
    ['{"additionalProperties":false}', '{"x/y":1}', 'the value: unknown field "x/y"'],
    ['{"format":"date"}', '"tomorrow"', 'the value: it must match format "date"'],
    ['{"not":{"type":"null"}}', "null", "the value: it must not be valid"],
    [
      '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}]}',
      "[1]",
      "[0]: it must be null, not a number",
    ],
    ['{"$async":true,"type":"object"}', "1", "the value: it must be an object, not a number"],
    [
      '{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["v"]}},"$ref":"#/$defs/n"}',
      '{"v":1,"next":{}}',
      "next.v: it is missing",
    ],
  ];
  for (const [schema, answer, why] of wrong) {
    it(`finds what is wrong with an answer: ${schema} with ${answer}`, () => {
      assert.deepEqual(shapedAnswer(answer, readSchema(schema)), { wrong: why });
    });
  }

  it("lets through what it describes, out of prose too", () => {
    const schema = readSchema('{"properties":{"n":{"type":["integer","null"]}},"required":["n"]}');
    assert.deepEqual(shapedAnswer('Here it is: {"n": null}', schema), { value: { n: null } });
  });
});
