import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { ended, launch, temporaryDirectory } from "./coppice.ts";

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make folders of another user" };
const unixOnly = process.getuid === undefined ? { skip: "there are no owners to check" } : {};

interface CompileCache {
  ownCacheFolder(env: Readonly<Record<string, string | undefined>>): string | undefined;
}

// By a computed name: it is JavaScript and has no types.
const module = new URL("../bin/compile-cache.js", import.meta.url).href;
const { ownCacheFolder } = (await import(module)) as CompileCache;

function home(t: TestContext): { readonly HOME: string; readonly own: string } {
  const HOME = temporaryDirectory(t);
  mkdirSync(join(HOME, ".cache"), { mode: 0o700 });
  return { HOME, own: join(HOME, ".cache", "coppice") };
}

describe("the cache of compiled modules", unixOnly, () => {
  it("is a folder of the user's own that nobody else can enter", (t) => {
    const { HOME, own } = home(t);
    assert.equal(ownCacheFolder({ HOME }), join(own, "compiled"));
    for (const path of [own, join(own, "compiled")]) assert.equal(statSync(path).mode & 0o777, 0o700);
    assert.equal(ownCacheFolder({ HOME }), join(own, "compiled"), "and is found again");
    const elsewhere = join(HOME, "elsewhere");
    assert.equal(ownCacheFolder({ HOME, XDG_CACHE_HOME: elsewhere }), join(elsewhere, "coppice", "compiled"));
  });

  it("is left out without a home, or where the home cannot hold it", (t) => {
    assert.equal(ownCacheFolder({}), undefined);
    assert.equal(ownCacheFolder({ HOME: "" }), undefined);
    assert.equal(ownCacheFolder({ XDG_CACHE_HOME: "relative" }), undefined);
    assert.equal(ownCacheFolder({ HOME: join(temporaryDirectory(t), "missing", "home") }), undefined);
    assert.equal(ownCacheFolder({ XDG_CACHE_HOME: "/proc" }), undefined);
  });

  it("is left out when others can write it or what is above it", (t) => {
    for (const open of ["", "..", "compiled"]) {
      for (const mode of [0o770, 0o707]) {
        const { HOME, own } = home(t);
        assert.notEqual(ownCacheFolder({ HOME }), undefined);
        chmodSync(join(own, open), mode);
        assert.equal(ownCacheFolder({ HOME }), undefined, `${join(own, open)} with mode ${mode.toString(8)}`);
      }
    }
  });

  it("is left out when a symbolic link leads somewhere else", (t) => {
    const { HOME, own } = home(t);
    const planted = join(HOME, "planted");
    mkdirSync(planted);
    symlinkSync(planted, own);
    assert.equal(ownCacheFolder({ HOME }), undefined);
    assert.deepEqual(readdirSync(planted), []);
  });

  it("is left out when somebody else made it", asRoot, (t) => {
    for (const path of ["", "..", "compiled"]) {
      const { HOME, own } = home(t);
      assert.notEqual(ownCacheFolder({ HOME }), undefined);
      chownSync(join(own, path), NOBODY, NOBODY);
      assert.equal(ownCacheFolder({ HOME }), undefined, join(own, path));
    }
  });

  it("is never in the system's temporary directory, whoever waits there", async (t) => {
    const { HOME, own } = home(t);
    const TMPDIR = join(HOME, "tmp");
    const trap = join(TMPDIR, "node-compile-cache");
    mkdirSync(trap, { recursive: true });
    chmodSync(trap, 0o777);
    const { code, stderr } = await ended(
      launch(HOME, ["runs"], { HOME, TMPDIR, XDG_CACHE_HOME: "", NODE_COMPILE_CACHE: "" }, t),
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(readdirSync(trap), []);
    assert.equal(statSync(own).isDirectory(), true);
  });
});
