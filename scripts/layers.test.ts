import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { layerViolations, type WorkspacePackage } from "./layers.ts";

const cwd = fileURLToPath(new URL("../", import.meta.url));

describe("packages", () => {
  it("import each other by their public entries only, and only upwards", () => {
    const sources = globSync("packages/*/{src,page,test,scripts}/**/*.{ts,tsx}", { cwd });
    assert.ok(sources.length > 500);
    const files = sources.map((path) => ({ path, text: readFileSync(`${cwd}${path}`, "utf8") }));
    assert.deepEqual(layerViolations(files, workspacePackages()), []);
  });
});

describe("the check of imports", () => {
  const packages: WorkspacePackage[] = [
    { folder: "engine", name: "@coppice/engine", entries: [".", "./worker"] },
    { folder: "search", name: "@coppice/search", entries: ["."] },
    { folder: "agents", name: "@coppice/agents", entries: ["."] },
    { folder: "airspace", name: "@coppice/airspace", entries: [".", "./view"] },
    { folder: "cli", name: "coppice", entries: ["."] },
  ];
  const check = (path: string, text: string) => layerViolations([{ path, text }], packages);

  const wrong: [string, string, string, RegExp][] = [
    [
      "downwards",
      "engine/src/index.ts",
      'import { mcts } from "@coppice/search";',
      /engine may import no other package/,
    ],
    ["sideways", "agents/src/a.ts", 'import type { A } from "@coppice/search";', /agents may import only engine/],
    ["up from a tool", "search/src/a.ts", 'export * from "coppice";', /search may import only engine/],
    ["past an entry", "cli/src/a.ts", 'import "@coppice/engine/src/pool.ts";', /has no entry \.\/src\/pool\.ts/],
    [
      "into another folder",
      "cli/src/a/b.ts",
      'import { x } from "../../../engine/src/x.ts";',
      /it leaves packages\/cli/,
    ],
    [
      "by a module's URL",
      "cli/src/a.ts",
      'new URL("../../engine/src/x.ts", import.meta.url)',
      /it leaves packages\/cli/,
    ],
    ["lazily", "engine/src/a.ts", 'const a = await import("@coppice/search");', /engine may import/],
    ["by a resolved name", "engine/src/a.ts", 'import.meta.resolve("@coppice/search")', /engine may import/],
    ["over several lines", "engine/src/a.ts", 'import {\n  a,\n  b,\n} from "@coppice/search";', /engine may import/],
    [
      "of more than a view",
      "studio/page/a.tsx",
      'import { a } from "@coppice/airspace";',
      /studio may import only engine, airspace\/view/,
    ],
    ["of test code", "cli/src/a.ts", 'import { t } from "../test/t.ts";', /test code has no place in src/],
    ["of itself by name", "search/src/a.ts", 'import { a } from "@coppice/search";', /its own files by their path/],
    ["from an unknown place", "new/src/a.ts", 'import { a } from "@coppice/engine";', /new has no place/],
  ];
  for (const [what, path, text, line] of wrong) {
    it(`finds an import ${what}`, () => {
      const [found, ...more] = check(`packages/${path}`, text);
      assert.match(found ?? "nothing", line);
      assert.deepEqual(more, []);
    });
  }

  it("lets through what is allowed", () => {
    const right = 'import { a } from "@coppice/engine/worker";\nimport { b } from "./b.ts";\nimport fs from "node:fs";';
    assert.deepEqual(check("packages/search/src/a.ts", right), []);
    assert.deepEqual(check("packages/cli/src/a.ts", 'import "@coppice/search";'), []);
    assert.deepEqual(check("packages/studio/src/a.ts", 'import("@coppice/airspace/view")'), []);
    assert.deepEqual(check("packages/cli/src/a.test.ts", 'import { t } from "../test/t.ts";'), []);
  });
});

function workspacePackages(): WorkspacePackage[] {
  return globSync(["packages/*/package.json", "{bench,examples}/package.json"], { cwd }).map((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(`${cwd}${path}`, "utf8")) as {
      name: string;
      exports?: Record<string, string>;
    };
    const entries = typeof exports === "string" ? ["."] : Object.keys(exports);
    return { folder: path.replace(/^packages\//, "").split("/")[0], name, entries };
  });
}
