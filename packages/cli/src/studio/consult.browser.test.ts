import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskResult } from "@coppice/agents/ask";
import type { DigestResult } from "@coppice/agents/digest";
import { axeFaults, noBrowser, type StudioPage } from "@coppice/studio/browser";
import { coppice, document, file } from "../../test/coppice.ts";
import { HOSTILE, studioPages } from "../../test/studio-pages.ts";

describe("the studio's pages of answers", { skip: noBrowser }, () => {
  let ask: AskResult;
  let digest: DigestResult;
  const { open, exported } = studioPages(async (folder) => {
    file(folder, "a.txt", `first\n${HOSTILE}\nthird\n`);
    const typed = async <Result>(...args: string[]) =>
      document(await coppice(folder, [...args, "--demo", "--json"])) as unknown as Result;
    ask = await typed("ask", "--batch", "judge,critic", HOSTILE);
    digest = await typed("digest", "a.txt");
    await typed("swarm", "--review", "a.txt");
  });
  const texts = (page: StudioPage, part: string) =>
    page.locator(`section[aria-label=Answers] ${part}`).allTextContents();

  it("say who answered what, hostile text as text, and what it took, as the command says", async () => {
    const { page, close } = await open("run/0/1/answers");
    await page.getByText("2 answers").waitFor();
    assert.equal(await page.locator("section[aria-label=Question] .said").textContent(), HOSTILE);
    assert.deepEqual(
      await texts(page, ".verdict"),
      ask.results.map(({ verdict }) => verdict),
    );
    const figure = page.locator("figure[aria-label=Tokens]");
    await figure.getByRole("button", { name: "Table" }).click();
    const { promptTokens, answerTokens } = ask.summary.usage;
    assert.equal(Number(await figure.locator("tbody td").last().textContent()), promptTokens + answerTokens);
    await page.getByLabel("Search answers").fill(ask.results[1].title);
    await page.getByText("1 of 2 answers").waitFor();
    await close();
  });

  it("open what is cited: the file's own lines, as text", async () => {
    const { page, close } = await open("run/0/2/answers");
    await page.locator("button.cite").click();
    const [, line] = /a\.txt:(\d+)/.exec(digest.files[0].summary) ?? [];
    const shown = (await page.locator(".excerpt").textContent()) ?? "";
    assert.ok(shown.includes(`${line}  ${["first", HOSTILE, "third"][Number(line) - 1]}`), shown);
    await close();
  });

  it("are exported, fit a phone and have no serious fault of access", async () => {
    for (const [run, scheme] of [
      ["1", "light"],
      ["1", "dark"],
      ["2", "light"],
      ["3", "dark"],
    ] as const) {
      const { page, close } = await open(await exported(run), { scheme, width: 390 });
      await page.locator(".tabs a").first().click();
      assert.equal((await texts(page, "article")).length, run === "1" ? 2 : 1);
      assert.deepEqual(await axeFaults(page), []);
      await close();
    }
  });
});
