import assert from "node:assert/strict";
import { relative } from "node:path";
import { describe, it } from "node:test";
import { hookOf } from "../../test/hook-of.ts";
import { TemporaryProject } from "../../test/temporary-project.ts";
import { hookFiles } from "./hook-files.ts";

describe("a hook's own code", () => {
  it("is the script that its command starts, whatever options stand before it, and nothing else that it names", () => {
    using project = new TemporaryProject();
    project.write("plain", "echo\n");
    project.write("notes.txt", "data\n");
    const code: Readonly<Record<string, readonly string[]>> = {
      "sh plain": ["plain"],
      "bash -e plain notes.txt": ["plain"],
      "bash -euo pipefail plain": ["plain"],
      "bash -c 'cat notes.txt'": [],
      "python3 -W ignore gone.py": ["gone.py"],
      "node --import tsx gone.ts": ["gone.ts"],
      "node -r ts-node/register gone.ts": ["gone.ts"],
      "node -e 1 notes.txt": [],
      "bun run gone.ts": ["gone.ts"],
      "deno run -A gone.ts": ["gone.ts"],
      "sh folder/gone": ["folder/gone"],
      "./gone": ["gone"],
      "cat notes.txt": [],
    };
    for (const [command, expected] of Object.entries(code)) {
      const files = hookFiles(hookOf("a", { command }), project.dir, project.env);
      assert.deepEqual(
        files.map((file) => relative(project.dir, file)),
        expected,
        command,
      );
    }
  });
});
