import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { UsageError } from "../usage-error.ts";
import { refuseReservedKeys, refuseReservedName } from "./reserved-key.ts";

describe("a file in which something is called __proto__", () => {
  const refused = (text: string) => () => refuseReservedKeys(JSON.parse(text), text, "space.json");

  it("is refused by the place of the name, however it is written", () => {
    const where = /^space\.json: a\.0\.__proto__: nothing can be called __proto__; rename it$/;
    assert.throws(refused('{"a": [{"__proto__": 1}]}'), { name: "UsageError", message: where });
    assert.throws(refused('{"a": [{"\\u005f_pro\\u0074o__": 1}]}'), UsageError);
    assert.throws(() => refuseReservedName("__proto__", "x"), UsageError);
  });

  it("is any JSON with such a key at any depth, and no other", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const content: unknown = JSON.parse(text);
        const hasIt = /"__proto__":/.test(JSON.stringify(content));
        if (hasIt) assert.throws(() => refuseReservedKeys(content, text, "x"), UsageError);
        else refuseReservedKeys(content, text, "x");
      }),
    );
    assert.doesNotThrow(refused('{"a": "__proto__", "constructor": {"toString": "\\u0041"}}'));
  });
});
