import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { it } from "node:test";
import type { Tarball } from "../pack.ts";
import type { Installation } from "./installation.ts";

const ENGINE_BYTES = 500_000;
const MOST_DEPENDENCIES = 3;

/** What holds of the tarballs themselves. */
export function tryTarballs(tarballs: () => readonly Tarball[], all: () => Installation, workspace: string): void {
  it("publint and attw find nothing wrong", () => {
    for (const { file } of tarballs()) {
      check("publint/src/cli.js", ["run", file, "--strict"]);
      // CommonJS programs require the modules, which attw cannot know to work.
      check("@arethetypeswrong/cli/dist/index.js", [file, "--profile", "esm-only"]);
    }
  });

  function check(program: string, args: readonly string[]): void {
    const done = spawnSync(process.execPath, [join(workspace, "node_modules", program), ...args], { encoding: "utf8" });
    assert.equal(done.status, 0, `${program} ${args.join(" ")}: ${done.stdout}${done.stderr}`);
  }

  it(`the engine is under ${ENGINE_BYTES / 1000} KB and has at most ${MOST_DEPENDENCIES} dependencies`, () => {
    const engine = tarballs().find(({ name }) => name === "@coppice/engine");
    assert.ok(engine !== undefined && engine.size < ENGINE_BYTES, `${engine?.size} bytes`);
    const manifest = JSON.parse(readFileSync(join(all().root, "node_modules/@coppice/engine/package.json"), "utf8"));
    assert.ok(Object.keys(manifest.dependencies).length <= MOST_DEPENDENCIES);
  });

  it("every map leads to a source that is there, and nothing has an install script or a test", () => {
    const modules = join(all().root, "node_modules");
    const packages = tarballs().map(({ name }) => join(modules, name));
    let maps = 0;
    for (const home of packages) {
      for (const file of globSync("dist/**/*.map", { cwd: home })) {
        const { sources } = JSON.parse(readFileSync(join(home, file), "utf8")) as {
          readonly sources: readonly string[];
        };
        for (const source of sources) {
          const path = resolve(home, dirname(file), source);
          assert.ok(path.startsWith(join(home, "src")) && readFileSync(path).length > 0, `${file}: ${source}`);
          maps++;
        }
      }
      assert.deepEqual(globSync("**/*.test.*", { cwd: home }), []);
      assert.equal("scripts" in JSON.parse(readFileSync(join(home, "package.json"), "utf8")), false);
    }
    assert.ok(maps > 1000, `${maps} maps`);
  });
}
