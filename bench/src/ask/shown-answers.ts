import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PracticeServer } from "@coppice/agents/practice-server";

/** Whether programs can be given a terminal of their own here. */
export function hasTerminals(): boolean {
  return /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");
}

/**
 * How many milliseconds after the server sent the first character of an answer `coppice ask` has written it to its
 * terminal: the whole command, in a process of its own, at a pseudo-terminal.
 */
export async function shownAfter(count: number): Promise<readonly number[]> {
  const sentAfterMs = 300;
  await using server = await PracticeServer.start({
    respond: () => ({ kind: "answer", content: "one two three", latencyMs: sentAfterMs, firstByteMs: sentAfterMs }),
  });
  const place = mkdtempSync(join(tmpdir(), "coppice-bench-shown-"));
  const models = { providers: { here: { baseUrl: server.url } }, default: "here/m" };
  writeFileSync(join(place, "coppice.models.yaml"), JSON.stringify(models));
  const lateMs: number[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const shownAtMs = await firstShown(place);
      lateMs.push(shownAtMs - (server.calls[i].atMs + sentAfterMs));
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
  return lateMs;
}

const COMMAND = fileURLToPath(new URL("../bin/coppice.js", import.meta.resolve("coppice")));

/** When the first character of the answer came out of the terminal, by the clock of this process. */
function firstShown(cwd: string): Promise<number> {
  const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} ask "Count to three"`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let shownAtMs = Number.NaN;
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    if (Number.isNaN(shownAtMs) && text.includes("one")) shownAtMs = performance.now();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      Number.isNaN(shownAtMs) ? reject(new Error(`exit code ${code}, and no answer: ${text}`)) : resolve(shownAtMs),
    );
  });
}
