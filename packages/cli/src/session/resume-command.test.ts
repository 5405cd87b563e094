import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { commandName, resumeCommand } from "./resume-command.ts";

describe("the command that resumes a run", () => {
  it("is called as this one was: through npm, or by its own name", () => {
    assert.equal(commandName({}), "coppice");
    assert.equal(commandName({ npm_command: "exec" }), "npx coppice");
    assert.equal(commandName({ npm_command: "start" }), "npx coppice");
  });

  it("names the runs' directory only when it is not the usual one, quoted for a shell", () => {
    assert.match(resumeCommand(join(".coppice", "runs", "3")), / resume 3$/);
    assert.match(resumeCommand(join("my runs", "it's", "3")), / resume 3 --run-dir 'my runs\/it'\\''s'$/);
  });
});
