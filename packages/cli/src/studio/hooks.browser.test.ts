import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { axeFaults, noBrowser } from "@coppice/studio/browser";
import { COPPICE, coppice, document, file } from "../../test/coppice.ts";
import { HOSTILE, studioPages } from "../../test/studio-pages.ts";

describe("the studio's page of hooks", { skip: noBrowser }, () => {
  const { place, open } = studioPages(async (folder) => {
    mkdirSync(join(folder, ".claude"));
    const hooks = [
      { type: "command", command: "true", reads: [], writes: [HOSTILE] },
      { type: "command", command: "sleep 0", reads: [HOSTILE], writes: [] },
    ];
    file(folder, ".claude/settings.json", JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks }] } }));
    const input = JSON.stringify({ session_id: "s1", prompt: "p" });
    const env = { ...process.env, HOME: folder };
    const { status, stderr } = spawnSync(process.execPath, [COPPICE, "hooks", "run", "UserPromptSubmit"], {
      cwd: folder,
      env,
      input,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
  });

  it("says what the commands say: stages with reasons, the course of an event, the slowest", async () => {
    const { plans } = document(await coppice(place, ["hooks", "plan", "UserPromptSubmit", "--json"])) as unknown as {
      readonly plans: readonly {
        readonly stages: readonly (readonly string[])[];
        readonly edges: readonly object[];
      }[];
    };
    const { hooks } = document(await coppice(place, ["hooks", "report", "--json"])) as unknown as {
      readonly hooks: readonly { readonly hook: string; readonly meanMs: number }[];
    };
    const { page, close } = await open("hooks", { width: 390 });
    await page.getByRole("combobox", { name: "Event" }).selectOption({ label: "UserPromptSubmit" });
    const edges = page.locator("figure[aria-label='Stages of UserPromptSubmit'] li");
    await edges.first().waitFor();
    assert.equal(await edges.count(), plans[0].edges.length);
    assert.ok(plans[0].edges.length > 0);
    const slowest = page.locator("figure[aria-label='Slowest hooks']");
    await slowest.getByRole("button", { name: "Table" }).click();
    await slowest.locator("tbody").waitFor();
    assert.deepEqual(
      (await slowest.locator("tbody td:nth-child(2)").allTextContents()).map(Number),
      hooks.map(({ meanMs }) => meanMs),
    );
    const course = page.locator("figure[aria-label='Course of UserPromptSubmit']");
    await course.getByRole("button", { name: "Table" }).click();
    await course.locator("tbody").waitFor();
    assert.deepEqual(
      (await course.locator("tbody td:first-child").allTextContents()).sort(),
      hooks.map(({ hook }) => hook).sort(),
    );
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("are written as a file that opens from disk", async () => {
    const { code, stderr } = await coppice(place, ["hooks", "report", "--html", "hooks.html"]);
    assert.equal(code, 0, stderr);
    const { page, close } = await open(pathToFileURL(join(place, "hooks.html")).href, { width: 390 });
    await page.locator("figure[aria-label='Stages of UserPromptSubmit'] li").first().waitFor();
    await page.locator("figure[aria-label='Course of UserPromptSubmit']").waitFor();
    const table = page.locator("section[aria-label='Hooks, slowest first, times in ms'].panel");
    await table.locator("tbody tr").first().waitFor();
    assert.equal(await table.locator("tbody tr").count(), 2);
    assert.deepEqual(await axeFaults(page), []);
    await close();
  });

  it("stand beside the runs where there are some", async () => {
    const { page, close } = await open("");
    await page.getByRole("link", { name: "Hooks" }).click();
    await page.locator("h1", { hasText: "Hooks" }).waitFor();
    await close();
  });
});
