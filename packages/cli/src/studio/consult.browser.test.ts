import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskResult } from "@coppice/agents/ask";
import type { DigestResult } from "@coppice/agents/digest";
import { axeFaults, noBrowser, type StudioPage } from "@coppice/studio/browser";
import { coppice, document, file } from "../../test/coppice.ts";
import { assertShown, HOSTILE, studioPages } from "../../test/studio-pages.ts";

describe("the studio's pages of answers", { skip: noBrowser }, () => {
  let ask: AskResult;
  let digest: DigestResult;
  let swarm: {
    readonly aggregate: {
      readonly files: readonly {
        readonly label: string;
        readonly findings: readonly { readonly line: number | null }[];
      }[];
    };
  };
  const { place, open, exported } = studioPages(async (folder) => {
    file(folder, "a.txt", `first\n${HOSTILE}\nthird\n`);
    const typed = async <Result>(...args: string[]) =>
      document(await coppice(folder, [...args, "--demo", "--json"])) as unknown as Result;
    ask = await typed("ask", "--batch", "judge,critic", HOSTILE);
    digest = await typed("digest", "a.txt");
    await typed("swarm", "--review", "a.txt");
    // The demo's reviewer finds something at a line of some of them.
    for (let n = 0; n < 8; n++) file(folder, `${n}.mjs`, `export function f${n}(sizes) {\n  return sizes;\n}\n`);
    swarm = await typed("swarm", "--review", "*.mjs", "--id", "reviewed");
    await typed("council", "--rank", "--personas", "judge,critic", "--id", "ranked", HOSTILE);
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
    await assertShown(page, place, "1");
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

  it("open the line of a finding", async () => {
    const at = swarm.aggregate.files.flatMap(({ label, findings }) =>
      findings.flatMap(({ line }) => (line === null ? [] : [`${label}:${line}`])),
    );
    assert.ok(at.length > 0, "the demo's reviews cite no line");
    const { page, close } = await open("run/0/reviewed/answers");
    await page.locator("button.cite").first().waitFor();
    const cited = await page.locator("button.cite").allTextContents();
    assert.deepEqual(cited.sort(), at.sort());
    await close();
  });

  it("are exported, fit a phone and have no serious fault of access", async () => {
    for (const [run, answers] of [
      ["1", 2],
      ["2", 1],
      ["3", 1],
      ["ranked", 3],
    ] as const) {
      const { page, close } = await open(await exported(run), { width: 390 });
      await page.locator(".tabs a").first().click();
      assert.equal((await texts(page, "article")).length, answers);
      assert.deepEqual(await axeFaults(page), []);
      await close();
    }
  });
});
