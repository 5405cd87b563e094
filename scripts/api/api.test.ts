import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { apiPage, undocumented } from "./api-page.ts";
import { type Exported, type Face, publicFaces } from "./declarations.ts";

const folder = new URL("../../docs/api/", import.meta.url);

const one: Exported = { name: "one", comment: "Says {@link Two}.", declaration: "const one: 1", place: "one.d.ts:1" };
const made = (...exports: Exported[]): Face => ({
  folder: "made",
  name: "@coppice/made",
  description: "Made up.",
  entries: [{ specifier: "@coppice/made", about: "For a test.", exports }],
});

describe("the reference of the public face", () => {
  const faces = publicFaces();

  it("has every export of every published entry", () => {
    const engine = faces.find(({ name }) => name === "@coppice/engine");
    const names = engine?.entries[0].exports.map(({ name }) => name) ?? [];
    for (const name of ["start", "threads", "Search", "defineEvaluator", "UsageError"]) assert.ok(names.includes(name));
    assert.ok(!names.includes("CoreBudget"), "tools have entries of their own");
    assert.ok(!engine?.entries.some(({ specifier }) => specifier.endsWith("/conformance")), "tests are not published");
  });

  it("finds a doc comment on every one of them", () => {
    assert.deepEqual(undocumented(faces), []);
  });

  it("is the one in docs/api: a change of the face is seen in review", () => {
    for (const face of faces) {
      const written = readFileSync(new URL(`${face.folder}.md`, folder), "utf8");
      assert.equal(written, apiPage(face), `docs/api/${face.folder}.md is not up to date: npm run api`);
    }
    assert.deepEqual(readdirSync(folder).sort(), faces.map((face) => `${face.folder}.md`).sort());
  });

  it("names exports without a comment, and changes with a declaration", () => {
    assert.deepEqual(undocumented([made(one)]), []);
    assert.deepEqual(undocumented([made({ ...one, comment: "" })]), ["@coppice/made: one"]);
    const page = apiPage(made(one));
    assert.match(page, /## @coppice\/made\n\nFor a test\.\n\n### one\n\nSays `Two`\.\n\n```ts\nconst one: 1\n```/);
    assert.notEqual(apiPage(made({ ...one, declaration: "const one: 2" })), page);
    assert.notEqual(apiPage(made()), page);
  });

  it("shows once what two entries export", () => {
    const [entry] = made(one).entries;
    const page = apiPage({ ...made(), entries: [entry, { ...entry, specifier: "@coppice/made/again" }] });
    assert.equal(page.split("### one").length, 2);
    assert.match(page, /Also here: `one` \(@coppice\/made\)\./);
  });
});
