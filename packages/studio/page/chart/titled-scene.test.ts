import assert from "node:assert/strict";
import { test } from "node:test";
import { titled } from "./titled-scene.ts";

test("a picture that is saved has its whole title and legend, in as many lines as they need, above the drawing", () => {
  const legend = Array.from(
    { length: 30 },
    (_, flow) => ({ colour: "accent", text: `flow of volume ${flow}` }) as const,
  );
  const dot = { kind: "rect", x: 0, y: 0, width: 10, height: 10, fill: "bad" } as const;
  const { width, height, marks } = titled({ width: 400, height: 100, marks: [dot] }, "Demand", "a ".repeat(60), legend);
  const texts = marks.filter((mark) => mark.kind === "text");
  assert.equal(texts.filter(({ text }) => text.startsWith("flow of")).length, 30);
  for (const { x, text } of texts) assert.ok(x + 7 * text.length <= width, text);
  const drawn = marks.findLast(({ kind }) => kind === "rect");
  assert.ok(drawn?.kind === "rect" && drawn.y > Math.max(...texts.map(({ y }) => y)) && height === drawn.y + 100);
});
