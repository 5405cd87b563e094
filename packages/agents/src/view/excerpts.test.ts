import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { excerptsOf } from "./excerpts.ts";

describe("excerpts of what is cited", () => {
  const place = mkdtempSync(join(tmpdir(), "coppice-excerpts-"));
  after(() => rmSync(place, { recursive: true, force: true }));
  const project = join(place, "project");
  const run = join(project, ".coppice/runs/1");
  mkdirSync(run, { recursive: true });
  mkdirSync(join(project, "src"));
  writeFileSync(join(place, "secret.txt"), "secret\n");
  writeFileSync(join(project, "src/a.ts"), Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join(""));
  symlinkSync(join(place, "secret.txt"), join(project, "src/link.txt"));
  symlinkSync(place, join(project, "out"));

  it("are the lines around it", () => {
    const found = excerptsOf(["see src/a.ts:12-13, and nothing at 12:30 or localhost:80"], run);
    assert.deepEqual(Object.keys(found), ["src/a.ts:12-13"]);
    assert.equal(found["src/a.ts:12-13"].first, 8);
    assert.equal(found["src/a.ts:12-13"].lines.at(-1), "line 17");
  });

  it("say when the file was written after the run had ended", () => {
    assert.equal(excerptsOf(["src/a.ts:3"], run)["src/a.ts:3"].isChanged, undefined);
    writeFileSync(join(run, "result.json"), "{}");
    utimesSync(join(run, "result.json"), 1, 1);
    assert.equal(excerptsOf(["src/a.ts:3"], run)["src/a.ts:3"].isChanged, true);
    utimesSync(join(project, "src/a.ts"), 1, 1);
    assert.equal(excerptsOf(["src/a.ts:3"], run)["src/a.ts:3"].isChanged, undefined);
  });

  it("are of the project's own files only: not beside it, not by a link, not of a run that is kept elsewhere", () => {
    const cited = ["../secret.txt:1", `${place}/secret.txt:1`, "src/link.txt:1", "out/secret.txt:1", "src/a.ts:99"];
    assert.deepEqual(excerptsOf([cited.join(" and ")], run), {});
    assert.deepEqual(excerptsOf(["src/a.ts:1"], place), {});
  });
});
