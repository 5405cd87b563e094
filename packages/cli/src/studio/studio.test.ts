import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assertRefused, coppice, document, file, launch, SQUARES, temporaryDirectory } from "../../test/coppice.ts";

describe("coppice studio", () => {
  it("prints an address that shows the runs of this folder, and ends with the terminal's signal", async (t) => {
    const place = temporaryDirectory(t);
    const { digest } = document(await coppice(place, ["run", SQUARES, "--json"]));
    const studio = launch(place, ["studio"], {}, t);
    const [printed] = (await once(studio.stdout ?? studio, "data")) as [Buffer];
    const url = new URL(String(printed).trim());
    assert.equal(url.hostname, "127.0.0.1");
    const refused = await fetch(new URL("/api/runs", url));
    assert.equal(refused.status, 401);
    const listed = await fetch(new URL(`/api/runs${url.search}`, url));
    const { runs } = (await listed.json()) as { readonly runs: readonly { readonly digest?: string }[] };
    assert.deepEqual(
      runs.map((run) => run.digest),
      [digest],
    );
    studio.kill("SIGINT");
    const [code] = await once(studio, "exit");
    assert.equal(code, 0);
  });

  it("says that the folder of runs is not there yet", async (t) => {
    const studio = launch(temporaryDirectory(t), ["studio", "--run-dir", "nowhere"], {}, t);
    const [said] = (await once(studio.stderr ?? studio, "data")) as [Buffer];
    assert.match(String(said), /nowhere does not exist yet: its runs are shown once there are some/);
    studio.kill("SIGINT");
    await once(studio, "exit");
  });

  it("writes the page of one run as a file, and ends", async (t) => {
    const place = temporaryDirectory(t);
    await coppice(place, ["run", SQUARES, "--json"]);
    const { stdout, code } = await coppice(place, ["studio", "--export", "run.html", "1"]);
    assert.deepEqual([stdout, code], ["run.html\n", 0]);
    assert.match(readFileSync(join(place, "run.html"), "utf8"), /^<!doctype html>\n.*default-src 'none'/s);
    assertRefused(await coppice(place, ["studio", "--export", "run.html"]), /name one run after it/);
    assertRefused(await coppice(place, ["studio", "--export", "no/run.html", "1"]), /there is no directory/);
    assertRefused(await coppice(place, ["studio", "--export", "run.html", "7"]), /7/);
    const journal = ".coppice/runs/1/journal.ndjson";
    const before = readFileSync(join(place, journal));
    assertRefused(await coppice(place, ["studio", "--export", journal, "1"]), /is a file that is not a page of ours/);
    assert.deepEqual(readFileSync(join(place, journal)), before);
    assert.equal((await coppice(place, ["studio", "--export", "run.html", "1"])).code, 0, "a page may be written anew");
    assertRefused(await coppice(place, ["studio", "--export", "run.html", "1", "--no-auth"]), /not with .* --no-auth/);
  });

  it("refuses what would open it to others or cannot be opened", async (t) => {
    const place = temporaryDirectory(t);
    assertRefused(await coppice(place, ["studio", "--no-auth", "--host", "0.0.0.0"]), /open to this machine only/);
    assertRefused(await coppice(place, ["studio", "nowhere"]), /nowhere is not a folder/);
    assertRefused(await coppice(place, ["studio", "--run-dir", ""]), /^coppice: "" is not a folder/);
    assertRefused(await coppice(place, ["studio", "--host", ""]), /--host is empty/);
    assertRefused(await coppice(place, ["studio", "--run-dir", file(place, "a", "")]), /a is not a folder/);
    assertRefused(await coppice(place, ["studio", "--port", "0"]), /--port/);
    assertRefused(
      await coppice(place, ["studio", "--host", "192.0.2.1"]),
      /192\.0\.2\.1 is not an address of this machine/,
    );
    const taken = createServer().listen(0, "127.0.0.1");
    t.after(() => taken.close());
    await once(taken, "listening");
    const address = taken.address();
    assert.ok(address !== null && typeof address === "object");
    assertRefused(await coppice(place, ["studio", "--port", String(address.port)]), /is taken: choose another --port/);
  });
});
