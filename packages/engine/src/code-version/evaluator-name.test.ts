import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { evaluatorName, findEvaluator } from "./evaluator-name.ts";

describe("an evaluator's name", () => {
  const place = mkdtempSync(join(tmpdir(), "coppice-name-"));
  after(() => rmSync(place, { recursive: true, force: true }));
  const file = (path: string, text: string): URL => {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
    return pathToFileURL(join(place, path));
  };
  const manifest = (name: string | undefined, exports?: unknown) => JSON.stringify({ name, exports, type: "module" });

  // Two machines: on the second the tool is installed somewhere else.
  const text = "export default {};\n";
  for (const machine of ["a", "b"]) {
    const installed = `${machine}/node_modules/@x/tool`;
    const exports = { ".": "./main.js", "./evaluator": { types: "./e.d.ts", default: "./src/e.js" } };
    file(`${installed}/package.json`, manifest("@x/tool", exports));
    file(`${installed}/src/e.js`, text);
    file(`${installed}/src/inner.js`, text);
    file(`${machine}/own/package.json`, manifest("own"));
    file(`${machine}/own/deep/package.json`, manifest(undefined));
    file(`${machine}/own/deep/mine.js`, text);
  }
  const on = (machine: string, path: string) => pathToFileURL(join(place, machine, path)).href;

  it("is its package and how that exports it, or where it is in there, and its content", () => {
    const { hash, ...exported } = evaluatorName(on("a", "node_modules/@x/tool/src/e.js"));
    assert.deepEqual(exported, { package: "@x/tool", export: "./evaluator", path: "src/e.js" });
    assert.match(hash, /^[0-9a-f]{64}$/);
    const inner = evaluatorName(on("a", "node_modules/@x/tool/src/inner.js"));
    assert.deepEqual(inner, { package: "@x/tool", path: "src/inner.js", hash });
    assert.deepEqual(evaluatorName(on("a", "own/deep/mine.js")), { package: "own", path: "deep/mine.js", hash });
  });

  it("is a path where there is no package", () => {
    const url = file("alone.js", text);
    const { hash, ...name } = evaluatorName(url.href);
    assert.deepEqual(name, { path: relative(process.cwd(), join(place, "alone.js")) });
    assert.equal(findEvaluator({ path: "alone.js", hash }, pathToFileURL(`${place}/`)), url.href);
  });

  it("finds the same module on another machine", () => {
    for (const path of ["node_modules/@x/tool/src/e.js", "node_modules/@x/tool/src/inner.js", "own/deep/mine.js"]) {
      const base = path.startsWith("own") ? "own/worker.js" : "worker.js";
      assert.equal(findEvaluator(evaluatorName(on("a", path)), on("b", base)), on("b", path));
    }
  });

  it("is refused where the module is missing or another one", () => {
    const name = evaluatorName(on("a", "node_modules/@x/tool/src/e.js"));
    const at = on("b", "worker.js");
    assert.throws(() => findEvaluator({ ...name, package: "@x/none" }, at), /@x\/none .*is not on this machine/);
    assert.throws(
      () => findEvaluator({ path: "gone.js", hash: name.hash }, at),
      /gone\.js is not on this machine: there is no/,
    );
    writeFileSync(join(place, "b/node_modules/@x/tool/src/e.js"), "export default 1;\n");
    assert.throws(() => findEvaluator(name, at), /is different code on this machine: .*e\.js and what it loads have/);
    writeFileSync(join(place, "b/node_modules/@x/tool/src/e.js"), text);
    assert.equal(findEvaluator(name, at), on("b", "node_modules/@x/tool/src/e.js"));
  });

  it("is refused where only something it loads is another one", () => {
    for (const machine of ["a", "b"]) {
      file(`${machine}/own/loads.js`, 'import "./loaded.js";\nexport default {};\n');
      file(`${machine}/own/loaded.js`, `globalThis.machine = "${machine}";\n`);
    }
    const name = evaluatorName(on("a", "own/loads.js"));
    assert.throws(
      () => findEvaluator(name, on("b", "own/worker.js")),
      /own loads\.js is different code on this machine/,
    );
    file("b/own/loaded.js", 'globalThis.machine = "a";\n');
    assert.equal(findEvaluator(name, on("b", "own/worker.js")), on("b", "own/loads.js"));
  });
});
