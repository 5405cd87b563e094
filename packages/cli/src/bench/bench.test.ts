import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { assertRefused, coppice, temporaryDirectory } from "../../test/coppice.ts";

const CLI = fileURLToPath(new URL("../../", import.meta.url));

describe("coppice bench", () => {
  it("lists the benchmarks", async (t) => {
    const { stdout, code } = await coppice(temporaryDirectory(t), ["bench"]);
    assert.equal(code, 0);
    assert.match(stdout, /^benchmark +measures\n/);
    assert.match(stdout, /^rates +\S/m);
  });

  it("refuses a benchmark that does not exist, naming those that do, and rounds that are none", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["bench", "speed"]), /there is no benchmark speed: there are .*rates/);
    assertRefused(await coppice(place, ["bench", "rates", "--rounds", "0"]), /'--rounds <n>' argument '0' is invalid/);
    assertRefused(
      await coppice(place, ["bench", "plan-scaling", "--part", "walkers,wall"]),
      /--part wall: there is no such part of plan-scaling: there are workers, root, leaf, walkers, time/,
    );
    assertRefused(await coppice(place, ["bench", "rates", "--part", "x"]), /no such part of rates: it has no parts/);
  });

  it("says of an installed command that benchmarks are elsewhere", async (t) => {
    const place = temporaryDirectory(t);
    const installed = join(place, "packages", "cli");
    for (const part of ["bin", "src", "package.json"])
      cpSync(join(CLI, part), join(installed, part), { recursive: true });
    const modules = join(CLI, "..", "..", "node_modules");
    mkdirSync(join(place, "node_modules", "@coppice"), { recursive: true });
    for (const name of ["commander", "zod", "@coppice/cluster", "@coppice/engine"]) {
      symlinkSync(join(modules, name), join(place, "node_modules", name));
    }
    const child = spawnSync(process.execPath, [join(installed, "bin", "coppice.js"), "bench"], { encoding: "utf8" });
    assert.equal(
      child.stderr,
      "coppice: benchmarks are part of the repository, not of the installed command: run them from a clone\n",
    );
    assert.equal(child.status, 2);
  });
});
