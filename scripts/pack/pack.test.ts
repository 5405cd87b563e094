import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { builtAddresses } from "../../packages/cli/src/hooks/built-addresses.ts";
import { lineMap } from "./line-map.ts";
import { type Manifest, publishedManifest } from "./published-manifest.ts";

const workspace = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sources = globSync("packages/*/src/**/*.ts", { cwd: workspace })
  .filter((path) => !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: readFileSync(join(workspace, path), "utf8") }));
const manifests = globSync("packages/*/package.json", { cwd: workspace }).map(
  (path) => JSON.parse(readFileSync(join(workspace, path), "utf8")) as Manifest,
);

describe("what is published", () => {
  it("names what is built by the ending it has there, in texts of the same length", () => {
    const code =
      'start(new URL("./a/worker.ts", import.meta.url)); say("./a/worker.ts");\nnew URL(\n  "../b.ts",\n  import.meta.url,\n);';
    const built = builtAddresses(code, "js");
    assert.equal(built, code.replace('"./a/worker.ts"', '"./a/worker.js"').replace('"../b.ts"', '"../b.js"'));
    assert.equal(built.length, code.length);
    assert.match(builtAddresses(code, "mjs"), /\.\/a\/worker\.mjs/);
  });

  it("is named in no other way by the sources, which would be wrong once they are built", () => {
    const harmless =
      /^\s*(\*|\/\/|\/\*)|^\s*(import|export)\b|^\} from |import\("|\bENDINGS = |\bINDEXES = |endsWith\("\.ts"\)/;
    const named = sources.flatMap(({ path, text }) =>
      builtAddresses(text, "js")
        .split("\n")
        .filter((line) => /\.ts["'`]/.test(line) && !harmless.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
    // What builds the bundle has no part in what is published.
    assert.deepEqual(
      named.filter((line) => !/hooks\/(build-bundle|built-addresses)\.ts/.test(line)),
      [],
    );
  });

  it("has maps that know the line of everything, and nothing more", () => {
    // Two lines of a build from lines 1, 3 and 40 of a source, the second line from two of them.
    const map = {
      version: 3,
      file: "a.js",
      sources: ["a.ts"],
      names: [],
      sourcesContent: [],
      sourceRoot: "",
      mappings: "AAAA,IAAI,CAAC;;AAEJ,MAAM,GAqCR,GAAG",
    };
    const lean = lineMap(map);
    const segments = (mappings: string) => mappings.split(/[;,]/).filter(Boolean).length;
    assert.deepEqual([segments(map.mappings), segments(lean.mappings)], [7, 3]);
    const at = (payload: ConstructorParameters<typeof SourceMap>[0], line: number, column: number) =>
      Reflect.get(new SourceMap(payload).findEntry(line, column), "originalLine");
    for (const [line, column] of [
      [0, 0],
      [0, 4],
      [0, 9],
      [2, 0],
      [2, 6],
      [2, 9],
      [2, 12],
    ]) {
      assert.equal(at(lean, line, column), at(map, line, column), `${line}:${column}`);
    }
  });

  it("has entries that lead to the build, and none that lead to test code", () => {
    const { exports, ...rest } = publishedManifest({
      name: "x",
      version: "1.0.0",
      exports: { ".": "./src/index.ts", "./part": "./src/part/part.ts", "./soak": "./test/soak.ts" },
      dependencies: { y: "1.0.0" },
      devDependencies: { z: "1.0.0" },
      scripts: { build: "make" },
    });
    assert.deepEqual(exports, {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./part": { types: "./dist/part/part.d.ts", default: "./dist/part/part.js" },
    });
    assert.deepEqual(Object.keys(rest).sort(), ["dependencies", "files", "name", "sideEffects", "version"]);
  });

  it("imports only what is published", () => {
    const entries = new Set(
      manifests.flatMap((manifest) =>
        Object.keys(publishedManifest(manifest).exports).map((entry) => join(manifest.name, entry)),
      ),
    );
    const missing = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?!.*import type).*(?:from |import\()"(@coppice\/(?!bench)[^"]+)"/gm)]
        .filter(([, specifier]) => !entries.has(specifier))
        .map(([, specifier]) => `${path}: ${specifier}`),
    );
    assert.deepEqual(missing, []);
  });

  it("can be required by CommonJS: nothing but programs waits at its top level", () => {
    const waiting = sources
      .filter(({ text }) => /^(?:const .*= |export .*= )?await /m.test(text))
      .map(({ path }) => path);
    assert.deepEqual(
      waiting.filter((path) => !/(-entry|\/main)\.ts$/.test(path)),
      [],
    );
  });

  it("is described, and has the version of all the others", () => {
    const [{ version }] = manifests;
    for (const manifest of manifests) {
      assert.equal(typeof manifest.description, "string", manifest.name);
      const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith("@coppice/"));
      assert.deepEqual([manifest.version, ...own.map(([, wanted]) => wanted)], [version, ...own.map(() => version)]);
    }
  });
});
