import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { digestSuggestion } from "./digest-suggestion.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-suggest-"));
after(() => rmSync(folder, { recursive: true }));

function fileOf(lines: number): string {
  const path = join(folder, `${lines}.txt`);
  writeFileSync(path, "x\n".repeat(lines));
  return path;
}

function transcriptOf(
  calls: readonly { readonly name: string; readonly input: unknown; readonly id: string }[],
): string {
  const path = join(folder, `transcript-${calls.length}-${calls[0]?.name}.jsonl`);
  const lines = calls.map((call) => ({
    type: "assistant",
    message: { id: call.id, content: [{ type: "tool_use", ...call }] },
  }));
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

const read = (id: string, lines: number) => ({ id, name: "Read", input: { file_path: fileOf(lines) } });

test("X-08: a read of more than 1000 lines is answered with a suggestion, a shorter one is not", () => {
  const suggest = (tool_input: object, tool_name = "Read") => digestSuggestion({ tool_name, tool_input });
  assert.match(suggest({ file_path: fileOf(1001) }) ?? "", /1001 lines.*coppice digest \S*1001\.txt --question/s);
  assert.equal(suggest({ file_path: fileOf(1000) }), undefined);
  assert.equal(suggest({ file_path: fileOf(5000), limit: 200 }), undefined, "only 200 lines are read");
  assert.equal(suggest({ file_path: fileOf(5000), offset: 4500 }), undefined, "only the end is read");
  assert.equal(suggest({ file_path: fileOf(5000) }, "Edit"), undefined);
  assert.equal(suggest({ file_path: join(folder, "missing") }), undefined);
  assert.equal(suggest({}), undefined);
});

test("X-08: the third big read in a row is answered with one suggestion for all of them", () => {
  const third = (calls: Parameters<typeof transcriptOf>[0]) =>
    digestSuggestion({
      tool_name: "Read",
      tool_input: { file_path: fileOf(700) },
      tool_use_id: "own",
      transcript_path: transcriptOf(calls),
    });
  const suggestion = third([read("a", 400), read("b", 500)]) ?? "";
  assert.match(suggestion, /3 big files in a row, 1600 lines/);
  assert.match(suggestion, /400\.txt \S*500\.txt \S*700\.txt/);
  assert.match(
    third([read("a", 400), read("b", 500), read("own", 700)]) ?? "",
    /3 big files/,
    "its own call counts once",
  );
  assert.equal(third([{ id: "x", name: "Bash", input: {} }, read("b", 500)]), undefined, "only two in a row");
  assert.equal(third([read("a", 20), read("b", 500)]), undefined, "small reads are nobody's business");
});
