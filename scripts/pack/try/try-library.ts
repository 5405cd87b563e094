import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import type { Installation } from "./installation.ts";

/** The library as programs use it: what the pages show, in every kind of module, on each Node. */
export function tryLibrary(
  engine: () => Installation,
  nodes: Readonly<Record<string, string>>,
  workspace: string,
): void {
  const readme = join(workspace, "README.md");
  const install = join(workspace, "docs", "install.md");
  const programs = {
    "twenty.ts": () => shown(readme, "ts", "defineEvaluator"),
    "twenty.mjs": () => shown(install, "js", "defineEvaluator"),
    "twenty.cjs": () => shown(install, "js", "require("),
  };
  let answer: string | undefined;
  for (const [version, node] of Object.entries(nodes)) {
    for (const [name, text] of Object.entries(programs)) {
      it(`Node ${version} runs the twenty lines as ${name.split(".")[1]}, with the same digest`, () => {
        engine().write(name, text());
        const { code, stdout, stderr } = engine().run(node, [name]);
        assert.equal(code, 0, stderr);
        const said = /digest: '([0-9a-f]{64})'/.exec(stdout)?.[1];
        assert.notEqual(said, undefined, stdout);
        answer ??= said;
        assert.equal(said, answer);
      });
    }
  }

  it("an engine that is installed alone brings nothing but its own dependencies", () => {
    const lock = JSON.parse(readFileSync(join(engine().root, "package-lock.json"), "utf8"));
    assert.deepEqual(Object.keys(lock.packages).sort(), ["", "node_modules/@coppice/engine", "node_modules/pure-rand"]);
  });
}

/** Every entry of every package, imported and required. */
export function tryEntries(
  all: () => Installation,
  entries: readonly string[],
  nodes: Readonly<Record<string, string>>,
): void {
  for (const [version, node] of Object.entries(nodes)) {
    it(`Node ${version} imports and requires every entry, and finds the same there`, () => {
      const names = JSON.stringify(entries);
      all().write(
        "entries.cjs",
        `(async () => {
          for (const name of ${names}) {
            const required = Object.keys(require(name)).filter((key) => key !== "__esModule");
            const imported = Object.keys(await import(name));
            if (required.join() !== imported.join()) throw new Error(name + ": " + required + " / " + imported);
          }
          console.log("all", ${names}.length);
        })();`,
      );
      const { stdout, stderr } = all().run(node, ["entries.cjs"]);
      assert.equal(stdout, `all ${entries.length}\n`, stderr);
    });
  }
}

/** A strict consumer that checks the declarations, too. */
export function tryTypes(all: () => Installation, entries: readonly string[], workspace: string): void {
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: "es2024",
    lib: ["es2024", "esnext.disposable"],
    types: ["node"],
  };
  const kinds = {
    nodenext: { ...strict, module: "nodenext", moduleResolution: "nodenext", allowImportingTsExtensions: true },
    bundler: { ...strict, module: "esnext", moduleResolution: "bundler" },
  };
  for (const [kind, compilerOptions] of Object.entries(kinds)) {
    it(`a strict consumer's types are right with moduleResolution ${kind}`, () => {
      for (const types of ["@types/node", "undici-types"]) {
        cpSync(join(workspace, "node_modules", types), join(all().root, "node_modules", types), { recursive: true });
      }
      const files = ["entries.ts", "twenty.ts"];
      all().write("twenty.ts", shown(join(workspace, "README.md"), "ts", "defineEvaluator"));
      all().write(
        "entries.ts",
        entries.map((name, i) => `export * as entry${i} from ${JSON.stringify(name)};\n`).join(""),
      );
      if (kind === "nodenext") {
        files.push("common.cts");
        all().write(
          "common.cts",
          entries.map((name, i) => `import entry${i} = require("${name}");\nexport { entry${i} };\n`).join(""),
        );
      }
      all().write(`tsconfig-${kind}.json`, JSON.stringify({ compilerOptions, files }));
      const tsc = join(workspace, "node_modules", "typescript", "bin", "tsc");
      const { code, stdout } = all().run(process.execPath, [tsc, "-p", `tsconfig-${kind}.json`]);
      assert.equal(code, 0, stdout);
    });
  }
}

/** The one code block of a page, in that language, that has the word in it. */
function shown(page: string, language: string, word: string): string {
  const blocks = [...readFileSync(page, "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const found = blocks.filter(([, kind, text]) => kind === language && text.includes(word));
  assert.equal(found.length, 1, `${page} has ${found.length} blocks of ${language} with ${word}`);
  return found[0][2];
}
