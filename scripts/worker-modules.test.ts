import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { describe, it } from "node:test";

const root = new URL("../", import.meta.url);

describe("modules that workers load", () => {
  it("do not load what starts runs: every worker would pay for it", async () => {
    const loaded: string[] = [];
    using _hooks = {
      [Symbol.dispose]: registerHooks({
        load: (url, context, next) => {
          loaded.push(url);
          return next(url, context);
        },
      }).deregister,
    };
    const evaluators = globSync("packages/*/src/**/*.ts", { cwd: root })
      .filter((path) => !path.endsWith(".test.ts"))
      .filter((path) => /^export default defineEvaluator\b/m.test(readFileSync(new URL(path, root), "utf8")));
    assert.ok(evaluators.length > 5);
    for (const path of evaluators) {
      await import(new URL(path, root).href);
      const heavy = loaded.filter((url) => url.includes("/engine/src/driver/"));
      assert.deepEqual(heavy, [], `${path}: import values from @coppice/engine/evaluator, not from @coppice/engine`);
    }
  });
});
