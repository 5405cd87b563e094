import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Gateway, parseModels } from "@coppice/agents/models";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the practice server answers what its models file points to, and passes over what fails", async (t) => {
  const child = spawn(process.execPath, [here("serve.ts"), "0"], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill());
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const url = /http\S+/.exec(line.toString())?.[0] ?? "";
  const text = readFileSync(here("coppice.models.yaml"), "utf8");
  const models = parseModels(text.replace("http://127.0.0.1:8089/v1", url), "coppice.models.yaml");
  const gateway = new Gateway({ models, place: "", timeoutMs: 10_000, retries: 2, concurrency: 50 });
  const { signal } = new AbortController();
  const ask = (model: string, content: string) =>
    gateway.ask({ model, messages: [{ role: "user", content }] }, { signal });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => ask("small", `question ${i}`)));
  assert.equal(answers.filter(({ content, cost }) => content !== "" && (cost ?? 0) > 0).length, 8);
  assert.equal((await ask("echo/anything", "hello")).content, "you said: hello");
  await gateway.close();
});
