import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { loadModule } from "../session/module-run.ts";
import { COPPICE_VERSION } from "../version.ts";
import { loadEvaluator } from "./load-evaluator.ts";

const place = mkdtempSync(join(tmpdir(), "coppice-load-"));
after(() => rmSync(place, { recursive: true, force: true }));

function write(path: string, text: string): string {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function whyNot(file: string): Promise<string> {
  const reasons = await Promise.all(
    [loadEvaluator(pathToFileURL(file).href), loadModule(file)].map((loading) =>
      loading.then(
        () => "",
        (error: Error) => error.message,
      ),
    ),
  );
  const [evaluator, module] = reasons;
  assert.equal(evaluator.includes("\n") || module.includes("\n"), false);
  // Whichever of the two a module is for, the reason is the same.
  const reason = (text: string) => /(cannot be loaded: |was made with ).*/.exec(text)?.[0] ?? text;
  assert.equal(reason(evaluator), reason(module));
  return reason(evaluator);
}

describe("a module that cannot be loaded", () => {
  it("says which package is not installed, and who wants it", async () => {
    const file = write("missing.mjs", 'import "@not/there/part"; export default {};');
    assert.equal(
      await whyNot(file),
      'cannot be loaded: the package "@not/there" is not installed: npm install @not/there',
    );
    write("node_modules/wants/index.js", 'import "not-there"; export default 1;');
    write("node_modules/wants/package.json", '{ "name": "wants", "type": "module", "exports": "./index.js" }');
    assert.match(
      await whyNot(write("indirect.mjs", 'import "wants"; export default {};')),
      /the package "not-there", which .*wants[/\\]index\.js imports, is not installed: npm install not-there$/,
    );
    assert.match(
      await whyNot(write("required.cjs", 'require("not-there");')),
      /the package "not-there" is not installed/,
    );
    assert.match(await whyNot(write("near.mjs", 'import "./gone.mjs";')), /Cannot find module '.*gone\.mjs'/);
  });

  it("says that Node runs no TypeScript below node_modules, and which file that is", async () => {
    const file = write("node_modules/typed/e.ts", "export default { evaluate: (x: number) => x };");
    write("node_modules/typed/package.json", '{ "name": "typed", "type": "module" }');
    const why = /Node runs no TypeScript below node_modules \(.*typed\/e\.ts\): have that package built to JavaScript/;
    assert.match(await whyNot(file), why);
    assert.match(await whyNot(write("own.mjs", 'export { default } from "typed/e.ts";')), why);
  });

  it("says what to change where package.json makes it CommonJS", async () => {
    write("common/package.json", '{ "type": "commonjs" }');
    assert.match(
      await whyNot(write("common/e.ts", 'import "node:fs"; export default {};')),
      /"type": "module" there, or .* \.mts$/,
    );
    assert.match(await whyNot(write("common/e.js", "export default {};")), /"type": "module" there, or .* \.mjs$/);
  });

  it("says when another major version of the engine made it", async () => {
    const made = (name: string, version: string) =>
      write(
        name,
        `const it = { evaluate: () => 1, search: () => {} };
         Object.defineProperty(it, Symbol.for("coppice.engine.version"), { value: "${version}" });
         export default it;`,
      );
    assert.equal(
      await whyNot(made("newer.mjs", "999.1.0")),
      `was made with @coppice/engine 999.1.0, and this is ${COPPICE_VERSION}: install one of them for both ("npm ls @coppice/engine" says who brings which)`,
    );
    await loadEvaluator(pathToFileURL(made("same.mjs", `${COPPICE_VERSION}-next`)).href);
    await loadModule(made("also.mjs", COPPICE_VERSION));
  });
});
