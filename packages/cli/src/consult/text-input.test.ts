import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { textInput } from "@coppice/agents/consult";
import { temporaryDirectory } from "../../test/coppice.ts";

const COPPICE = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));

describe("what is asked on standard input", () => {
  const wrong: [string, Buffer, string][] = [
    ["nothing", Buffer.alloc(0), "the question is empty: give it as an argument, or on standard input"],
    ["bytes that are not text", Buffer.from([65, 0, 66]), "the question is not text: it holds zero bytes"],
    ["far too much", Buffer.alloc(1_000_001, "x"), "the question has 1000001 characters; at most 1000000 can be asked"],
  ];
  for (const [what, bytes, message] of wrong) {
    it(`is refused when it is ${what}`, async () => {
      const input = { stream: Readable.from([bytes]), given: true };
      await assert.rejects(textInput("-", "question", input), { name: "UsageError", message });
    });
  }

  it("follows the question as data when there are both, and only then", async () => {
    const asked = (data: string, given = true) =>
      textInput("Why?", "question", { stream: Readable.from([Buffer.from(data)]), given });
    assert.match(await asked("a\nb"), /^Why\?\n\n<data-(\w+) name="standard input">\na\nb\n<\/data-\1>$/);
    assert.equal(await asked(" \n"), "Why?");
    assert.equal(await asked("of somebody else", false), "Why?");
    const input = { stream: Readable.from([Buffer.from("y")]), given: true };
    await assert.rejects(textInput(" ", "question", input), {
      message: "the question is empty: give it as an argument, or on standard input",
    });
  });

  it("is the question when there is no argument", (t) => {
    const typed = (input: string) =>
      spawnSync(process.execPath, [COPPICE, "ask", "--demo", "--json"], {
        cwd: temporaryDirectory(t),
        input,
        encoding: "utf8",
      });
    const { status, stdout } = typed("Shall we?\n");
    assert.equal(status, 0);
    assert.equal((JSON.parse(stdout) as { query: string }).query, "Shall we?");
    const empty = typed("");
    assert.deepEqual(
      [empty.status, empty.stderr],
      [2, "coppice: the question is empty: give it as an argument, or on standard input\n"],
    );
  });
});
