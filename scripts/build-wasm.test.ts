import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

describe("compiled code", () => {
  it("is what its source is compiled to, byte for byte", async () => {
    const script = fileURLToPath(new URL("./build-wasm.mjs", import.meta.url));
    await promisify(execFile)(process.execPath, [script, "--check"]);
  });
});
