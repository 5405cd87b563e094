import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CouncilAccount, CouncilResult } from "@coppice/agents/council";
import { axeFaults, noBrowser } from "@coppice/studio/browser";
import { coppice, document } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";

describe("the studio's page of a council", { skip: noBrowser }, () => {
  let result: CouncilResult & Pick<CouncilAccount, "speculation">;
  const { place, open, exported } = studioPages(async (folder) => {
    const council = "council --demo --preset quick --speculate --json".split(" ");
    result = document(await coppice(folder, [...council, HOSTILE])) as unknown as typeof result;
  });

  it("says what the command says, hostile text as text, and fits a phone", async () => {
    const { page, close } = await open(await exported("1"), { width: 390 });
    await page.locator('.tabs a:text-is("Council")').click();
    const verdict = page.getByRole("region", { name: "Verdict" });
    assert.equal(await verdict.locator("h2").textContent(), `${result.verdict}, confidence ${result.confidence}`);
    assert.equal(await verdict.locator(".said").first().textContent(), HOSTILE);
    const [first] = result.rounds;
    const said = page.getByRole("region", { name: "Round 1" }).locator("article:not(.arbiter)");
    await said.first().waitFor();
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
    const { started, kept, discarded } = result.speculation;
    assert.ok(started > 0 && result.rounds.length > 1, "the demo goes on for some rounds, and starts them early");
    assert.match(
      (await verdict.locator('dt:text-is("Speculation") + dd').textContent()) ?? "",
      new RegExp(`^${started} rounds? started early: ${kept} kept, ${discarded} thrown away; `),
    );
    const agreement = page.locator("figure[aria-label=Agreement]");
    await agreement.getByRole("button", { name: "Table" }).click();
    assert.deepEqual(
      (await agreement.locator("tbody tr td:nth-child(3)").allTextContents()).map(Number),
      result.rounds.map(({ convergence }) => convergence.ratio),
    );
    assert.deepEqual(await axeFaults(page), []);
    await assertShown(page, place, "1");
    await close();
  });
});
