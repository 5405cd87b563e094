import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { bytesText, type Finding, programFindings, wantedPrograms } from "@coppice/workbench/machine";
import { coppice, document, ended, file, launch, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

/** A home that is nobody's, so that what the test's user has written does not matter. */
function homeIn(place: string): Record<string, string> {
  const home = join(place, "home");
  mkdirSync(join(home, ".cache"), { recursive: true });
  return { HOME: home, XDG_RUNTIME_DIR: join(home, "runtime") };
}

function findingsOf(ended: Parameters<typeof document>[0]): Map<string, Finding> {
  const { findings } = JSON.parse(ended.stdout) as { findings: Finding[] };
  return new Map(findings.map((finding) => [finding.name, finding]));
}

function script(t: TestContext, name: string, text: string): string {
  const folder = temporaryDirectory(t);
  chmodSync(file(folder, name, `#!/bin/sh\n${text}\n`), 0o755);
  return folder;
}

describe("coppice doctor", () => {
  it("says what is there, line by line, and ends with 0", async (t) => {
    const place = temporaryDirectory(t);
    const { code, stdout, stderr } = await coppice(place, ["doctor"], homeIn(place));
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, new RegExp(`^✓ Node +${process.versions.node} at `, "m"));
    assert.match(stdout, /^[✓!] cores +\d+ of \d+/m);
    assert.match(stdout, /^✓ runs +\.coppice\/runs: not there; 0 runs/m);
    assert.match(stdout, /everything needed is there\n$/);
  });

  it("changes nothing, and counts what runs have written", async (t) => {
    const place = temporaryDirectory(t);
    const env = homeIn(place);
    document(await coppice(place, ["run", SQUARES, "--json", "--pool", "inline"], env));
    const tree = () => readdirSync(place, { recursive: true }).sort();
    const before = tree();
    const found = findingsOf(await coppice(place, ["doctor", "--json"], env));
    assert.deepEqual(tree(), before);
    const journal = readFileSync(join(place, ".coppice/runs/1/journal.ndjson")).length;
    assert.ok(Number(found.get("runs")?.facts.bytes) > journal);
    assert.match(found.get("runs")?.says ?? "", /; 1 run; /);
  });

  it("ends with 1 when something needed is broken, and says what to do", async (t) => {
    const place = temporaryDirectory(t);
    file(place, "taken", "");
    const { code, stdout } = await coppice(place, ["doctor", "--run-dir", "taken"], homeIn(place));
    assert.equal(code, 1);
    assert.match(stdout, /^✗ runs .*\n +→ it is not a folder: /m);
    assert.match(stdout, /1 thing is broken: see ✗ above\n$/);
  });

  it("tries what it needs of Node for real", async (t) => {
    const place = temporaryDirectory(t);
    const env = { ...homeIn(place), NODE_OPTIONS: "--no-experimental-sqlite" };
    const said = await ended(launch(place, ["doctor", "--json"], env, t));
    assert.equal(said.code, 1, said.stderr);
    const { state, says } = findingsOf(said).get("Node") ?? {};
    assert.equal(state, "broken");
    assert.match(says ?? "", /does not work: SQLite: /);
  });

  it("lists an agent's settings with their scope", async (t) => {
    const place = temporaryDirectory(t);
    const env = homeIn(place);
    mkdirSync(join(place, ".claude"));
    file(join(place, ".claude"), "settings.json", "{}");
    Object.assign(env, { CLAUDE_PROJECT_DIR: join(place, "gone") });
    const { says } = findingsOf(await coppice(place, ["doctor", "--json"], env)).get("hooks (project)") ?? {};
    assert.match(says ?? "", /settings\.json: 2 bytes, of /);
  });
});

describe("a program that the doctor looks for", () => {
  const git = async (path: string, limitMs?: number) =>
    (await programFindings(wantedPrograms, { PATH: path }, limitMs)).find(({ name }) => name === "git");

  it("is missing when it is not there, with where to get it, and that is not a failure", async (t) => {
    const found = await git(temporaryDirectory(t));
    assert.deepEqual([found?.state, found?.needed], ["missing", false]);
    assert.match(found?.advice ?? "", /apt install git/);
  });

  it("is not a folder or a file that cannot be executed", async (t) => {
    const folder = temporaryDirectory(t);
    mkdirSync(join(folder, "git"));
    const other = temporaryDirectory(t);
    file(other, "git", "");
    assert.equal((await git(`${folder}:${other}`))?.state, "missing");
  });

  it("is the first on the path, with its version", async (t) => {
    const folder = script(t, "git", "echo git version 9.8.7");
    assert.equal((await git(`${folder}:/usr/bin`))?.says, `9.8.7 at ${join(folder, "git")}`);
  });

  it("is broken when it fails, hangs or floods, and is ended", async (t) => {
    for (const text of ["exit 3", "exec sleep 600", "exec yes rubbish"]) {
      const found = await git(`${script(t, "git", text)}:/usr/bin:/bin`, 2_000);
      assert.equal(found?.state, "broken", text);
    }
  });
});

describe("bytes as people read them", () => {
  it("have a unit and at most one digit after the point", () => {
    const read = [0, 1, 1023, 1024, 1536, 150 * 1024, 2 ** 40, 2 ** 60].map(bytesText);
    assert.deepEqual(read, ["0 bytes", "1 bytes", "1023 bytes", "1.0 KB", "1.5 KB", "150 KB", "1.0 TB", "1048576 TB"]);
  });
});
