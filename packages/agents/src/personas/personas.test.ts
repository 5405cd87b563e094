import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { findPersonas, readPersonas } from "./library.ts";
import { advisers, askPresets, councilPresets, presetPersonas, readPersonaList } from "./presets.ts";

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-personas-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("the persona library", () => {
  const library = readPersonas();

  it("has the twelve advisers and the two offices, each with something to say", () => {
    assert.deepEqual(
      [...library.keys()],
      "judge critic skeptic oracle innovator advocate thinker security legal performance ux data recruiter arbiter".split(
        " ",
      ),
    );
    assert.equal(advisers(library).length, 12);
    for (const { name, title, asks, instructions } of library.values()) {
      assert.ok(title.startsWith("The ") && asks.endsWith("?"), name);
      assert.ok(instructions.length > 500, `${name} has ${instructions.length} characters`);
    }
    assert.equal(new Set([...library.values()].map(({ instructions }) => instructions)).size, 14);
  });

  it("has every persona that a preset names", () => {
    for (const presets of [askPresets, councilPresets]) {
      for (const name of Object.keys(presets)) findPersonas(library, presetPersonas(presets, name, library));
    }
  });

  it("takes a user's personas beside the built-in ones, and in their place", (t) => {
    const folder = folderOf(t, {
      "gardener.md": "---\nname: gardener\n---\nYou are the gardener.\n",
      "judge.md": "---\nname: judge\ntitle: Another Judge\n---\nYou judge differently.\n",
      "notes.txt": "not a persona",
    });
    const mine = readPersonas(folder);
    assert.equal(mine.size, 15);
    assert.deepEqual(mine.get("gardener"), {
      name: "gardener",
      title: "gardener",
      asks: "",
      role: "adviser",
      keywords: [],
      instructions: "You are the gardener.",
    });
    assert.equal(mine.get("judge")?.title, "Another Judge");
    assert.ok(advisers(mine).includes("gardener"));
  });

  const wrong: [string, string, RegExp][] = [
    ["has no facts", "You are.", /x\.md: a persona file begins with "---"/],
    ["has a bad name", "---\nname: The Judge\n---\nYou are.", /x\.md: name: must be small letters/],
    ["has unknown facts", "---\nname: x\nmodel: y\n---\nYou are.", /x\.md: its facts: .*model/],
    ["says nothing", "---\nname: x\n---\n \n", /x\.md: there are no instructions/],
    ["is not YAML", "---\nname: [\n---\nYou are.", /x\.md: /],
  ];
  for (const [what, text, message] of wrong) {
    it(`refuses a file that ${what}, by name`, (t) => {
      assert.throws(() => readPersonas(folderOf(t, { "x.md": text })), message);
    });
  }

  it("refuses a folder that is not there", (t) => {
    assert.throws(() => readPersonas(join(folderOf(t, {}), "none")), /persona folder .* cannot be read \(ENOENT\)/);
    const folder = folderOf(t, {});
    mkdirSync(join(folder, "sub"));
    assert.equal(readPersonas(folder).size, 14);
  });
});

describe("a list of personas", () => {
  const library = readPersonas();
  const read = (list: string) => readPersonaList(list, askPresets, library);

  it("O-01: takes personas, presets, or both; a name that is both is the persona", () => {
    assert.deepEqual(read("skeptic,judge"), ["skeptic", "judge"]);
    assert.deepEqual(read("quick"), ["judge", "critic", "skeptic"]);
    assert.deepEqual(read(" Quick , legal"), ["judge", "critic", "skeptic", "legal"]);
    assert.deepEqual(read("security"), ["security"]);
    assert.deepEqual(presetPersonas(askPresets, "security", library), ["security", "skeptic", "critic"]);
    assert.equal(read("all").length, 12);
  });

  it("O-05: has each persona once, and refuses unknown ones with those there are", () => {
    assert.deepEqual(read("judge,critic,judge,quick"), ["judge", "critic", "skeptic"]);
    assert.throws(() => read("judge,joker"), /no persona or preset "joker" \(personas: judge, critic.*presets: quick/);
    assert.throws(() => presetPersonas(askPresets, "slow", library), /no preset "slow"; there are: quick, .*all/);
    assert.throws(() => findPersonas(library, ["joker"]), /no persona "joker"; there are: judge/);
    assert.throws(() => read(" , "), /the list of personas is empty/);
  });
});
