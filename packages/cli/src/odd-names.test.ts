import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertRefused, coppice, file, temporaryDirectory } from "../test/coppice.ts";

/** Names that every object has already. */
const ODD = ["constructor", "toString", "hasOwnProperty", "valueOf"];
const HORIZONS = ["isPrototypeOf", "toLocaleString"];
const JUDGE = `import { defineEvaluator } from "@coppice/engine/evaluator";
export default defineEvaluator({
  setup: () => ({}),
  evaluate: (_, { configuration, horizons }) =>
    Object.fromEntries(horizons.map((name) => [name, Object.values(configuration).reduce((sum, value) => sum + value, 0)])),
});
`;

describe("names that objects have already", { concurrency: 1 }, () => {
  it("are tuned like any other; __proto__, which would vanish, is refused by its place", async (t) => {
    const place = temporaryDirectory(t);
    const judge = file(new URL("../test/modules", import.meta.url).pathname, `judge-${process.pid}.ts`, JUDGE);
    t.after(() => rmSync(judge));
    const tune = (space: string) => {
      file(place, "space.json", space);
      return coppice(place, [
        "tune",
        "--evaluator",
        judge,
        "--space",
        "space.json",
        "--output",
        "best",
        "--quiet",
        "--json",
      ]);
    };
    const baseline = Object.fromEntries(ODD.map((name) => [name, 3]));
    const parameters = ODD.map((name) => ({ name, values: [3, 1, 2] }));
    const { code, stdout, stderr } = await tune(JSON.stringify({ horizons: HORIZONS, baseline, parameters }));
    assert.equal(code, 0, stderr);
    for (const horizon of HORIZONS) {
      const best = JSON.parse(readFileSync(join(place, "best", `${horizon}.json`), "utf8"));
      assert.deepEqual(best, Object.fromEntries(ODD.map((name) => [name, 1])), stdout);
    }
    const wrong = /space\.json: .*nothing can be called __proto__; rename it/;
    const one = { horizons: ["h"], baseline: {}, parameters: [{ name: "__proto__", values: [1, 2] }] };
    assertRefused(await tune(JSON.stringify(one)), wrong);
    assertRefused(
      await tune(JSON.stringify({ ...one, parameters: [{ name: "a", path: "b.__proto__.c", values: [1] }] })),
      wrong,
    );
    assertRefused(
      await tune(
        '{"horizons": ["h"], "baseline": {"__proto__": {"a": 1}}, "parameters": [{"name": "a", "values": [1]}]}',
      ),
      wrong,
    );
    assertRefused(
      await tune(JSON.stringify({ ...one, horizons: ["__proto__"], parameters: [{ name: "a", values: [1] }] })),
      wrong,
    );
  });

  it("are files that can be digested, again and again", async (t) => {
    const place = temporaryDirectory(t);
    const names = [...ODD, "__proto__"];
    for (const name of names) file(place, name, `this is ${name}\n`);
    for (let times = 0; times < 2; times++) {
      const { code, stdout, stderr } = await coppice(place, ["digest", "--demo", "--quiet", "--json", ...names]);
      assert.equal(code, 0, stderr);
      const { files } = JSON.parse(stdout) as { files: { path: string; summary: unknown }[] };
      assert.deepEqual(
        files.map(({ path, summary }) => [path, typeof summary]),
        names.map((name) => [name, "string"]),
      );
    }
  });

  it("are refused or taken where models and hooks are named", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "coppice.models.yaml", "providers: { __proto__: { demo: true }, a: { demo: true } }\n");
    assertRefused(
      await coppice(place, ["ask", "x"]),
      /coppice\.models\.yaml: providers\.__proto__: nothing can be called __proto__/,
    );
    mkdirSync(join(place, ".claude"));
    const hooks = [...ODD, "__proto__"].map((name) => ({ type: "command", command: "true", name }));
    file(
      place,
      ".claude/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [{ hooks }], constructor: [{ hooks }] } }),
    );
    const checked = await coppice(place, ["hooks", "check"], { HOME: place });
    assert.equal(checked.code, 1);
    assert.match(checked.stdout, /hooks\.constructor: not written like an event/);
    assert.match(checked.stdout, /2 events, 1 error, \d+ remarks/);
    const planned = await coppice(place, ["hooks", "plan"], { HOME: place });
    assert.equal(planned.code, 0, planned.stderr);
  });
});
