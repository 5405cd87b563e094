import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "../../test/coppice.ts";

const COPPICE = fileURLToPath(new URL("../../bin/coppice.js", import.meta.url));

describe("what is asked on standard input", () => {
  const wrong: [string, Buffer, RegExp][] = [
    ["nothing", Buffer.alloc(0), /^coppice: the question is empty\n$/],
    ["bytes that are no text", Buffer.from([65, 0, 66]), /^coppice: the question is not text: it holds zero bytes\n$/],
    [
      "far too much",
      Buffer.alloc(1_000_001, "x"),
      /^coppice: the question has 1000001 characters; at most 1000000 are asked\n$/,
    ],
  ];
  for (const [what, input, line] of wrong) {
    it(`is refused when it is ${what}`, (t) => {
      const { status, stderr } = spawnSync(process.execPath, [COPPICE, "ask", "--demo", "-"], {
        cwd: temporaryDirectory(t),
        input,
        encoding: "utf8",
      });
      assert.equal(status, 2);
      assert.match(stderr, line);
    });
  }

  it("is the question when there is no argument", (t) => {
    const { status, stdout } = spawnSync(process.execPath, [COPPICE, "ask", "--demo", "--json"], {
      cwd: temporaryDirectory(t),
      input: "Shall we?\n",
      encoding: "utf8",
    });
    assert.equal(status, 0);
    assert.equal((JSON.parse(stdout) as { query: string }).query, "Shall we?");
  });
});
