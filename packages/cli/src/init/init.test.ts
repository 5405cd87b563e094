import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { projectName } from "@coppice/workbench/starter";
import fc from "fast-check";
import { assertRefused, coppice, document, file, plainEnvironment, temporaryDirectory } from "../../test/coppice.ts";
import { ownPackage } from "../own-package.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const type = promisify(execFile);

/** A new project with this clone's packages where npm would install them. */
async function madeProject(t: TestContext, ...flags: string[]): Promise<string> {
  const place = temporaryDirectory(t);
  document(await coppice(place, ["init", "--json", ...flags]));
  mkdirSync(join(place, "node_modules/@coppice"), { recursive: true });
  symlinkSync(join(ROOT, "packages/engine"), join(place, "node_modules/@coppice/engine"));
  symlinkSync(join(ROOT, "packages/cli"), join(place, "node_modules/coppice"));
  symlinkSync(join(ROOT, "node_modules/@types"), join(place, "node_modules/@types"));
  return place;
}

describe("coppice init", () => {
  it("writes projects whose runs agree: TypeScript and JavaScript, 1 worker and 4", async (t) => {
    const digests = new Set<unknown>();
    const places = [await madeProject(t), await madeProject(t, "--js")];
    for (const [i, run] of ["run.ts", "run.js"].entries()) {
      for (const workers of ["1", "4"]) {
        const { digest } = document(await coppice(places[i], ["run", run, "--json", "--workers", workers]));
        assert.match(String(digest), /^[0-9a-f]{64}$/);
        digests.add(digest);
      }
    }
    assert.equal(digests.size, 1);
  });

  for (const flags of [[], ["--js"]]) {
    it(`writes a test that passes: node --test ${flags}`, async (t) => {
      const place = await madeProject(t, ...flags);
      const { stdout } = await type(process.execPath, ["--test", "--test-reporter=tap"], {
        cwd: place,
        // Inside a test runner, another one reports in its own protocol.
        env: { ...plainEnvironment(), NODE_TEST_CONTEXT: undefined },
      });
      assert.match(stdout, /^# pass 2$/m);
      assert.match(stdout, /^# fail 0$/m);
    });
  }

  it("writes TypeScript without type errors", async (t) => {
    const place = await madeProject(t);
    await type(process.execPath, [TSC], { cwd: place });
  });

  it("depends on the versions it was made with, and has scripts and a README of ten lines at most", async (t) => {
    const place = temporaryDirectory(t);
    for (const [folder, run] of [
      ["a", "run.ts"],
      ["b/c", "run.js"],
    ] as const) {
      const made = document(await coppice(place, ["init", folder, "--json", ...(run === "run.js" ? ["--js"] : [])]));
      assert.deepEqual([...(made.files as string[])].sort(), readdirSync(join(place, folder)).sort());
      const text = readFileSync(join(place, folder, "package.json"), "utf8");
      const { name, scripts, dependencies } = JSON.parse(text);
      assert.equal(name, folder.slice(-1));
      assert.deepEqual([scripts.start, scripts.test], [`coppice run ${run}`, "node --test"]);
      const { version } = ownPackage();
      assert.deepEqual(dependencies, { "@coppice/engine": `^${version}`, coppice: `^${version}` });
      assert.ok(readFileSync(join(place, folder, "README.md"), "utf8").split("\n").length <= 11);
    }
  });

  it("says what to type next, with the folder as a shell reads it", async (t) => {
    const place = temporaryDirectory(t);
    const { stdout } = await coppice(place, ["init", "$(touch x) 'y'"]);
    assert.match(stdout, /^ {2}cd '\$\(touch x\) '\\''y'\\'''$/m);
    assert.match(stdout, /^ {2}npm start$/m);
    assert.match((await coppice(place, ["init", "--", "--odd"])).stdout, /^ {2}cd \.\/--odd$/m);
  });
});

describe("coppice init refuses", () => {
  it("to write over anything, naming all of it, and touches nothing", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "README.md", "mine");
    symlinkSync("nowhere", join(place, "run.ts"));
    assertRefused(await coppice(place, ["init"]), /^coppice: README\.md, run\.ts exist: nothing was written/);
    assert.deepEqual(readdirSync(place).sort(), ["README.md", "run.ts"]);
    assert.equal(readFileSync(join(place, "README.md"), "utf8"), "mine");
    // Its JavaScript has other names.
    assertRefused(await coppice(place, ["init", "--js"]), /^coppice: README\.md exists: nothing was written/);
  });

  const wrong: [string, string, RegExp][] = [
    ["a file in place of the folder", "file", /^coppice: file is not a folder: nothing was written\n$/],
    ["a folder below a file", "file/x", /^coppice: cannot create .*file\/x: .*file is a file\n$/],
    [
      "what npm keeps for itself",
      "node_modules/x",
      /^coppice: .* is below node_modules, where Node runs no TypeScript/,
    ],
    ["a folder without a name", "", /^coppice: the folder has no name/],
    ["a name that is far too long", "x".repeat(300), /^coppice: cannot write to x+: ENAMETOOLONG/],
    ["an option for a folder", "--wat", /^coppice: unknown option '--wat'/],
  ];
  for (const [what, folder, line] of wrong) {
    it(what, async (t) => {
      const place = temporaryDirectory(t);
      file(place, "file", "");
      assertRefused(await coppice(place, ["init", folder]), line);
      assert.deepEqual(readdirSync(place), ["file"]);
    });
  }

  it("a folder where it cannot write", async (t) => {
    const place = temporaryDirectory(t);
    if (process.platform === "linux") {
      assertRefused(await coppice(place, ["init", "/proc/nope/x"]), /^coppice: cannot create \/proc\/nope/);
      assertRefused(await coppice(place, ["init", "/proc/self"]), /^coppice: cannot write the project: E/);
    }
    if (process.getuid?.() === 0) return; // no folder is closed to root
    chmodSync(place, 0o500);
    assertRefused(await coppice(place, ["init"]), /^coppice: cannot write the project: EACCES/);
    chmodSync(place, 0o700);
  });
});

describe("a project's name", () => {
  it("is one that npm accepts, whatever the folder is called", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("coppice", "node_modules", "..")),
        (folder) => {
          const name = projectName(folder);
          assert.match(name, /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/);
          assert.ok(name.length <= 214 && !["coppice", "node_modules", "favicon.ico"].includes(name));
        },
      ),
    );
    assert.equal(projectName(`${"x".repeat(213)}-y`), "x".repeat(213));
    assert.equal(projectName("/x/My Search"), "my-search");
    assert.equal(projectName("/x/Prüfung_2"), "prufung_2");
  });
});
