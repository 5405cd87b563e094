import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { soak } from "@coppice/engine/soak";
import fc from "fast-check";
import stringWidth from "string-width";
import { inColumns } from "./answer-columns.ts";

const between = (row: string): number[] => [...row.matchAll(/│/g)].map(({ index }) => stringWidth(row.slice(0, index)));

describe("answers in columns", () => {
  it("stay aligned with wide characters, emoji, combining accents and tabs", () => {
    const text = inColumns(
      [
        {
          head: "日本語のとても長いモデルの名前です",
          text: "東京は日本の首都です。人口は約千四百万人で、世界最大の都市圏です。",
        },
        { head: "b", text: "👩‍👩‍👧‍👦 a family, 🇩🇪 a flag, cafe\u0301 with an accent,\ta tab" },
        { head: "c", text: "plain\n\nlines" },
      ],
      78,
    );
    assert.equal(
      text,
      [
        "日本語のとても長いモデ…  │ b                        │ c",
        "──────────────────────── │ ──────────────────────── │ ────────────────────────",
        "東京は日本の首都です。人 │ 👩‍👩‍👧‍👦 a family, 🇩🇪 a flag,  │ plain",
        "口は約千四百万人で、世界 │ cafe\u0301 with an accent,     │",
        "最大の都市圏です。       │ a tab                    │ lines",
      ].join("\n"),
    );
  });

  it("are as wide as they may be at most, aligned in every row, and keep every character", () => {
    const character = fc.constantFrom("a", "b", " ", "\n", "\t", "字", "ｶ", "e\u0301", "👍🏽", "👩‍👧", "🇩🇪");
    const anything = fc.array(character, { maxLength: 80 }).map((characters) => characters.join(""));
    fc.assert(
      fc.property(
        fc.array(anything, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 40, max: 120 }),
        (texts, width) => {
          const rows = inColumns(
            texts.map((text, index) => ({ head: String(index), text })),
            width,
          ).split("\n");
          const own = Math.floor((width - 3 * (texts.length - 1)) / texts.length);
          const places = texts.slice(1).map((_, index) => (index + 1) * own + index * 3 + 1);
          for (const row of rows) {
            assert.ok(stringWidth(row) <= width, row);
            assert.deepEqual(between(row), places.slice(0, between(row).length), row);
          }
          const kept = (text: string): string => [...text.replace(/[\s│]/g, "")].sort().join("");
          assert.equal(kept(rows.slice(2).join("")), kept(texts.join("")));
        },
      ),
      { numRuns: soak(30, 2000) },
    );
  });
});
