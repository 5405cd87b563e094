import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { evaluatorName } from "@coppice/engine/worker";
import { hashOf } from "../place/blobs.ts";
import { PROTOCOL, type RunDescription } from "../protocol.ts";
import { Allowed } from "./allow.ts";
import { BlobCache } from "./blob-cache.ts";
import { findCode } from "./find-code.ts";

const BASE = import.meta.url;
const nothing = () => assert.fail("nothing is fetched");

/** A run as somebody describes it who can write to Redis. */
function described(evaluatorName: RunDescription["evaluatorName"]): RunDescription {
  return { protocol: PROTOCOL, evaluatorUrl: "file:///nowhere.ts", evaluatorName } as RunDescription;
}

function found(name: RunDescription["evaluatorName"], allowed = new Allowed(["@coppice/*", "coppice"], false)) {
  return findCode(described(name), allowed, [BASE], { bundle: nothing, keepCode: nothing });
}

describe("a worker whose Redis is written to by a stranger", () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-hostile-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const planner = new URL("../../../airspace/src/planner/root-evaluator.ts", BASE);
  const programs = new URL("../../../engine/src/command/evaluator.ts", BASE);

  it("runs what it may", async () => {
    const name = evaluatorName(planner.href);
    // As npm links it, or as it is.
    assert.match(await found(name), /airspace\/src\/planner\/root-evaluator\.ts$/);
  });

  it("is not led to an evaluator that starts programs by another one's name", async () => {
    const away = relative(fileURLToPath(new URL(".", BASE)), fileURLToPath(programs));
    const { hash } = evaluatorName(programs.href);
    const good = { package: "@coppice/airspace", path: "src/planner/root-evaluator.ts" };
    const names = [
      { ...good, export: `../../${away}`, hash },
      { ...good, export: `./x/../../../${away}`, hash },
      { ...good, package: "@coppice/../engine", path: "src/command/evaluator.ts", hash },
      { ...good, package: "@coppice/engine", path: "src/planner/../command/evaluator.ts", hash },
      {
        ...good,
        package: "@coppice/engine",
        export: "./command",
        hash: evaluatorName(new URL("./command-evaluator.ts", programs).href).hash,
      },
    ];
    for (const name of names) await assert.rejects(found(name), { name: "Refusal" }, JSON.stringify(name));
  });

  it("takes part only with the folders and files that a run reads by their paths, and runs its command there", async () => {
    const file = join(folder, "score.sh");
    writeFileSync(file, "echo 1");
    const allowed = new Allowed(["@coppice/engine/src/command/evaluator.ts"], false);
    const evaluatorUrl = `${programs.href}?cwd=${folder}`;
    const needing = (folders: readonly string[], files: Readonly<Record<string, string>>) =>
      findCode(
        { ...described(evaluatorName(programs.href)), evaluatorUrl, disk: { folders, files } },
        allowed,
        [BASE],
        {
          bundle: nothing,
          keepCode: nothing,
        },
      );
    assert.ok((await needing([folder], { [file]: hashOf(Buffer.from("echo 1")) })).endsWith(`?cwd=${folder}`));
    await assert.rejects(
      needing(["/nowhere"], {}),
      /^Refusal: there is no folder \/nowhere here, which its evaluations read/,
    );
    await assert.rejects(needing([folder], { "/nowhere/x": "" }), /there is no file \/nowhere\/x here/);
    await assert.rejects(
      needing([folder], { [file]: hashOf(Buffer.from("echo 2")) }),
      /score\.sh is a different one here/,
    );
  });

  it("reads and removes nothing outside its cache, whatever hash it is told", () => {
    const cache = new BlobCache(join(folder, "cache"), 1, () => {});
    const mine = join(folder, "mine.txt");
    writeFileSync(mine, "precious");
    for (const hash of ["../mine.txt", mine, `../${hashOf(Buffer.from("precious"))}`, "", "."]) {
      assert.equal(cache.find("", hash), undefined);
      assert.ok(existsSync(mine), hash);
    }
  });

  it("makes room only among what it has put there itself", () => {
    const directory = join(folder, "documents");
    mkdirSync(directory);
    writeFileSync(join(directory, "thesis.tex"), Buffer.alloc(900_000));
    const cache = new BlobCache(directory, 1, () => {});
    const bytes = [1, 2, 3].map((fill) => Buffer.alloc(400_000, fill));
    for (const each of bytes) cache.keep("", hashOf(each), each);
    assert.ok(readdirSync(directory).includes("thesis.tex"));
    assert.equal(cache.find("", hashOf(bytes[0])), undefined);
    assert.deepEqual(cache.find("", hashOf(bytes[2])), bytes[2]);
  });
});
