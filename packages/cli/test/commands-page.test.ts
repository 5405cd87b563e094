import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { commandsPage } from "../scripts/commands-page.ts";

describe("docs/commands.md", () => {
  it("says what the commands say of themselves", async () => {
    const written = readFileSync(new URL("../../../docs/commands.md", import.meta.url), "utf8");
    const why = "run: node packages/cli/scripts/write-commands-page.ts";
    assert.equal(written, await commandsPage(), why);
  });
});
