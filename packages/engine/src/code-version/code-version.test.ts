import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { codeVersion } from "./code-version.ts";

const place = mkdtempSync(join(tmpdir(), "coppice-code-"));
after(() => rmSync(place, { recursive: true, force: true }));
let projects = 0;

/** A project on disk; writing `undefined` to a path removes it. */
function project(files: Readonly<Record<string, string>>) {
  const root = join(place, String(projects++));
  const write = (path: string, text: string | undefined) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const version = (path = "src/e.ts") => codeVersion(join(root, path));
  return { root, write, version, hash: () => version().hash };
}

const FORMS: Readonly<Record<string, string>> = {
  "an import": 'import { a } from "../lib/x.ts";',
  "a re-export": 'export * from "../lib/x.ts";',
  "an import inside a function": 'const load = () => import("../lib/x.ts");',
  "a require without its ending": 'const x = require("../lib/x");',
  "a worker's address": 'new Worker(new URL("../lib/x.ts", import.meta.url));',
  "an address without a dot": 'new URL("x.ts", import.meta.url);',
  "an import by way of another module": 'import "../lib/between.ts";',
  "an import through a link": 'import "./link.ts";',
  "an import of a linked package": 'import "linked";',
  "an import below a linked package": 'import "linked/deep/x";',
  "an import of its own package": 'import "own/x";',
  "an internal name": 'import "#x";',
  "an import with a query": 'import "../lib/x.ts?fresh";',
};

function everyForm(form: string) {
  const made = project({
    "package.json": JSON.stringify({
      name: "own",
      exports: { "./x": "./lib/x.ts" },
      imports: { "#x": { node: "./lib/x.ts" } },
    }),
    "src/e.ts": `${form}\nexport default {};`,
    "lib/x.ts": "export const a = 1;",
    "lib/between.ts": 'export { a } from "./x.ts"; import "./between.ts"; import "../src/e.ts";',
    "linked/package.json": JSON.stringify({
      name: "linked",
      exports: { ".": { import: "./main.ts" }, "./deep/*": "./src/*.ts" },
    }),
    "linked/main.ts": 'import "../lib/x.ts";',
    "linked/src/x.ts": 'import "../../lib/x.ts";',
    "node_modules/.keep": "",
  });
  symlinkSync("../lib/x.ts", join(made.root, "src/link.ts"));
  symlinkSync("../lib/x.ts", join(made.root, "src/x.ts"));
  symlinkSync("../linked", join(made.root, "node_modules/linked"));
  return made;
}

describe("a module's version", () => {
  for (const [what, form] of Object.entries(FORMS)) {
    it(`changes with what it loads by ${what}, and only with that`, () => {
      const { write, hash, version } = everyForm(form);
      const before = hash();
      assert.equal("../lib/x.ts" in version().files, true);
      write("lib/unrelated.ts", "export const a = 3;");
      assert.equal(hash(), before);
      write("lib/x.ts", "export const a = 2;");
      assert.notEqual(hash(), before);
      write("lib/x.ts", "export const a = 1;");
      assert.equal(hash(), before);
    });
  }

  for (const form of ['import "#h"', 'import "#c/h1"', 'import "linked"', 'require("../folder")']) {
    it(`changes with what ${form} loads by way of a package.json without a name`, () => {
      const nameless = { type: "module", imports: { "#h": "./c/h1.ts", "#c/*": "./c/*.ts" } };
      const { root, write, hash } = project({
        "package.json": JSON.stringify({ name: "around", imports: { "#h": "./lib/unrelated.ts" } }),
        "src/package.json": JSON.stringify(nameless),
        "src/e.ts": form,
        "src/c/h1.ts": "1",
        "linked/package.json": JSON.stringify({ exports: "./main.ts" }),
        "linked/main.ts": 'import "../src/c/h1.ts";',
        "folder/package.json": JSON.stringify({ main: "./main.cjs" }),
        "folder/main.cjs": 'require("../src/c/h1.ts");',
        "node_modules/.keep": "",
      });
      symlinkSync("../linked", join(root, "node_modules/linked"));
      const before = hash();
      write("lib/unrelated.ts", "1");
      assert.equal(hash(), before);
      write("src/c/h1.ts", "2");
      assert.notEqual(hash(), before);
    });
  }

  it("is the same wherever the project is", () => {
    const { root, hash } = everyForm(Object.values(FORMS).join("\n"));
    const copy = join(place, "elsewhere", "deep", "down");
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    assert.equal(codeVersion(join(copy, "src/e.ts")).hash, hash());
  });

  it("takes installed packages, and what those depend on, by their version", () => {
    const manifest = (name: string, version: string, dependencies = {}) =>
      JSON.stringify({ name, version, dependencies });
    const { write, hash, version } = project({
      "src/e.ts": 'import { a } from "@x/tool/part.js";',
      "node_modules/@x/tool/package.json": manifest("@x/tool", "1.0.0", { below: "*", absent: "*" }),
      "node_modules/@x/tool/part.js": "export const a = 1;",
      "node_modules/below/package.json": manifest("below", "2.0.0", { "@x/tool": "*" }),
    });
    const before = hash();
    assert.deepEqual(version().packages, ["@x/tool@1.0.0", "below@2.0.0"]);
    assert.deepEqual(Object.keys(version().files), ["e.ts"]);
    write("node_modules/below/package.json", manifest("below", "2.0.1", { "@x/tool": "*" }));
    assert.notEqual(hash(), before);
  });

  it("looks closely at the package that the module itself is part of, installed or not", () => {
    const { write, version } = project({
      "node_modules/tool/package.json": JSON.stringify({ name: "tool", version: "1.0.0" }),
      "node_modules/tool/e.js": 'import "./inner.js"; import "other";',
      "node_modules/tool/inner.js": "1",
      "node_modules/other/package.json": JSON.stringify({ name: "other", version: "3.0.0" }),
    });
    const entry = "node_modules/tool/e.js";
    const before = version(entry);
    assert.deepEqual([Object.keys(before.files), before.packages], [["e.js", "inner.js"], ["other@3.0.0"]]);
    write("node_modules/tool/inner.js", "2");
    assert.notEqual(version(entry).hash, before.hash);
  });

  it("changes when something that was not there appears, when two files change places, and with data", () => {
    const { write, hash } = project({
      "src/e.ts": 'import "./a.ts"; import "./b.ts"; import d from "./d.json"; import "./later.ts"; import "nobody";',
      "src/a.ts": "1",
      "src/b.ts": "2",
      "src/d.json": "[]",
    });
    const seen = new Set([hash()]);
    const changes: [string, string][] = [
      ["src/later.ts", ""],
      ["src/d.json", "[1]"],
      ["src/a.ts", "2"],
      ["src/b.ts", "1"],
      ["node_modules/nobody/package.json", '{"name":"nobody","version":"1.0.0"}'],
    ];
    for (const [path, text] of changes) {
      write(path, text);
      seen.add(hash());
    }
    assert.equal(seen.size, changes.length + 1);
  });

  it("counts data of any size, to its last byte", () => {
    const { root, write, hash } = project({
      "src/e.ts": 'new URL("./data.bin", import.meta.url);',
      "src/data.bin": "",
    });
    const seen = new Set([hash()]);
    const grow = (bytes: number) => truncateSync(join(root, "src/data.bin"), bytes);
    for (const bytes of [600_000, 600_001, 5 * 2 ** 20]) {
      grow(bytes);
      seen.add(hash());
    }
    write("src/data.bin", `${"\0".repeat(599_999)}1`);
    seen.add(hash());
    assert.equal(seen.size, 5);
  });

  it("does not change with types, which are gone when it runs", () => {
    const { write, hash } = project({
      "src/e.ts": 'import type { A } from "./types.ts";\nexport default {} as A;',
      "src/types.ts": "export type A = 1;",
    });
    const before = hash();
    write("src/types.ts", "export type A = 2;");
    assert.equal(hash(), before);
  });

  it("survives what a hostile project has: circles, folders, damaged and endless links, odd names", () => {
    const { root, version } = project({
      "src/e.ts": `import "./e.ts"; import "."; import "./folder"; import "./loop.ts"; import ""; import "/"; import "@";
        import "https://x/y.js"; import "file:%00"; import "a\\0b"; import "./%"; import "data:text/javascript,1"; import "node:fs";`,
      "src/folder/index.js": "1",
      "src/package.json": "{",
      "src/folder/package.json": "null",
      "src/folder/inner/package.json": "{}",
    });
    symlinkSync("loop.ts", join(root, "src/loop.ts"));
    assert.deepEqual(Object.keys(version().files).sort(), ["e.ts", "folder/index.js"]);
  });

  it("knows every file of this repository that Node loads for an evaluator", async () => {
    const repository = fileURLToPath(new URL("../../../../", import.meta.url));
    const loaded = new Map<string, Set<string>>();
    const isOurs = (path: string) => path.startsWith(repository) && !path.includes("/node_modules/");
    const hooks = registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        if (found.url.startsWith("file:") && context.parentURL?.startsWith("file:") === true) {
          const parent = fileURLToPath(context.parentURL);
          loaded.set(parent, (loaded.get(parent) ?? new Set()).add(fileURLToPath(found.url)));
        }
        return found;
      },
    });
    const evaluators = [
      "packages/agents/src/models/evaluator.ts",
      "packages/airspace/src/planner/root-evaluator.ts",
      "packages/ideas/src/evaluate/evaluator.ts",
      "packages/projections/src/tuning/judge-entry.ts",
      "examples/travelling-salesman/improve-tour.ts",
      "examples/travelling-salesman/run.ts",
    ].map((path) => join(repository, path));
    try {
      for (const evaluator of evaluators) await import(`${pathToFileURL(evaluator).href}?version`);
    } finally {
      hooks.deregister();
    }
    for (const evaluator of evaluators) {
      const files = new Set(Object.keys(codeVersion(evaluator).files).map((path) => join(dirname(evaluator), path)));
      const reached = new Set([evaluator]);
      for (const file of reached) for (const next of loaded.get(file) ?? []) if (isOurs(next)) reached.add(next);
      assert.ok(reached.size > 3, evaluator);
      const missed = [...reached].filter((file) => !files.has(file)).map((file) => relative(repository, file));
      assert.deepEqual(missed, [], evaluator);
    }
  });
});
