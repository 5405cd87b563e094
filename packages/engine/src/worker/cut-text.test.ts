import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { candidate, Scripted, when } from "../../test/searches.ts";
import type { RunEvent } from "../contract/event.ts";
import { start } from "../driver/start.ts";
import { inline } from "../pools/in-process.ts";
import { processes } from "../pools/processes.ts";
import { threads } from "../pools/threads.ts";
import { cutMiddle, cutText, LONGEST_TEXT } from "./cut-text.ts";

describe("text that an evaluator made up", () => {
  it("is kept whole when it is short, and otherwise says to the byte how much was cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, most) => {
        for (const cut of [cutText, cutMiddle]) {
          const kept = cut(text, most);
          if (text.length <= most) {
            assert.equal(kept, text);
            continue;
          }
          const [, head, bytes, tail] = /^(.*)… (\d+) bytes cut(?: …(.*))?$/s.exec(kept) ?? assert.fail(kept);
          assert.ok(head.length + (tail ?? "").length <= most + 1);
          assert.ok(text.startsWith(head) && text.endsWith(tail ?? ""));
          assert.equal(Buffer.byteLength(head + (tail ?? "")) + Number(bytes), Buffer.byteLength(text));
        }
      }),
      { examples: [["😀".repeat(20), 3]] },
    );
  });

  it("makes neither a large journal nor another digest, whatever pool it comes from", async () => {
    const size = 4 * LONGEST_TEXT;
    const directory = mkdtempSync(join(tmpdir(), "coppice-loud-"));
    try {
      const digests = new Set<string>();
      for (const pool of [inline(), threads({ workers: 1 }), processes({ workers: 1 })]) {
        const run = await start({
          search: new Scripted(candidate("a", size), when(1, { kind: "done" })),
          evaluator: new URL("../../test/evaluators/loud.ts", import.meta.url),
          pool,
          journal: { directory: join(directory, pool.kind) },
        });
        const failures: Extract<RunEvent, { type: "failed" }>[] = [];
        run.subscribe((event) => void (event.type === "failed" && failures.push(event)));
        const { digest } = await run.finished;
        digests.add(digest);
        const [{ failure, detail }] = failures;
        assert.match(failure.message, /^(😀){32768}… \d+ bytes cut$/u);
        assert.match(detail.stack ?? "", /bytes cut ….*\n {4}at /s);
        assert.match(detail.causes?.[0] ?? "", /bytes cut$/);
        assert.deepEqual(detail.data, { cutBytes: size + '{"text":""}'.length });
        const files = [
          "journal.ndjson",
          ...readdirSync(join(directory, pool.kind, "logs")).map((name) => `logs/${name}`),
        ];
        for (const name of files) {
          const bytes = statSync(join(directory, pool.kind, name)).size;
          assert.ok(bytes < 12 * LONGEST_TEXT, `${pool.kind}: ${name} has ${bytes} bytes`);
        }
      }
      assert.equal(digests.size, 1);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
