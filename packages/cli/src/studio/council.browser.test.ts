import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { CouncilResult } from "@coppice/agents/council";
import { axeFaults, noBrowser, openBrowser, watchedPage } from "@coppice/studio/browser";
import { coppice, document } from "../../test/coppice.ts";

const HOSTILE = `</script><img src=x onerror="document.title='broken'">`;

describe("the studio's page of a council", { skip: noBrowser }, () => {
  const place = mkdtempSync(join(tmpdir(), "coppice-council-page-"));
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let result: CouncilResult;

  before(async () => {
    result = document(await coppice(place, ["council", "--demo", "--json", HOSTILE])) as unknown as CouncilResult;
    const { code, stderr } = await coppice(place, ["studio", "--export", "council.html", "1"]);
    assert.equal(code, 0, stderr);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    rmSync(place, { recursive: true, force: true });
  });

  for (const scheme of ["light", "dark"] as const) {
    it(`says what the command says, hostile text as text, and fits a phone, ${scheme}`, async () => {
      const url = pathToFileURL(join(place, "council.html")).href;
      const { page, close } = await watchedPage(browser, url, { scheme, width: 390 });
      await page.locator('.tabs a:text-is("Council")').click();
      const verdict = page.getByRole("region", { name: "Verdict" });
      assert.equal(await verdict.locator("h2").textContent(), `${result.verdict}, confidence ${result.confidence}`);
      assert.equal(await verdict.locator(".said").first().textContent(), HOSTILE);
      const [first] = result.rounds;
      const said = page.getByRole("region", { name: "Round 1" }).locator("article:not(.arbiter)");
      assert.deepEqual(
        await said.locator(".said").allTextContents(),
        first.statements.map(({ opinion }) => opinion.reasoning),
      );
      assert.deepEqual(
        await said.locator(".verdict").allTextContents(),
        first.statements.map(({ opinion }) => opinion.verdict),
      );
      const tokens = page.locator("figure[aria-label=Tokens]");
      await tokens.getByRole("button", { name: "Table" }).click();
      const { promptTokens, answerTokens } = result.totals;
      const last = await tokens.locator("tbody tr").last().locator("td").last().textContent();
      assert.equal(Number(last?.replaceAll(",", "")), promptTokens + answerTokens);
      assert.deepEqual(await axeFaults(page), []);
      await close();
    });
  }
});
