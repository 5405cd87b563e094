import assert from "node:assert/strict";
import { test } from "node:test";
import type { DrawnNode } from "./drawn-tree.ts";
import { layOut, openAtFirst } from "./tree-layout.ts";
import { fitted, heightOf, treeScene } from "./tree-scene.ts";

/** Pixels that a letter of a name takes at most, on average. */
const LETTER = 7.2;

/** A tree of some depth: `ideas` on the root and on the first of every depth below. */
function treeOf(depth: number, ideas: number): DrawnNode[] {
  const node = { label: "0001 a-name-of-some-length… 0.2439", colour: "accent" } as const;
  const rest = { best: false, isKept: false, isClosed: false, weight: 1 };
  const nodes: DrawnNode[] = [{ parent: null, ...node, ...rest }];
  for (let at = 0; at < depth; at++) {
    for (let idea = 0; idea < ideas; idea++) {
      nodes.push({ parent: at === 0 ? 0 : (at - 1) * ideas + 1, ...node, ...rest, isKept: idea === 0 });
    }
  }
  return nodes;
}

for (const [page, width] of [
  ["1280 px", 830],
  ["390 px", 340],
] as const) {
  test(`at first sight a tree is whole on a page of ${page}: no dot and no name is cut off`, () => {
    for (const [depth, ideas] of [
      [1, 7],
      [2, 8],
      [3, 7],
      [6, 4],
      [12, 4],
      [3, 200],
    ]) {
      const nodes = treeOf(depth, ideas);
      const layout = layOut(nodes, openAtFirst(nodes), width);
      const room = { width, height: heightOf(layout, width) };
      const { marks } = treeScene(nodes, layout, fitted(layout, room), undefined, room);
      const names = marks.flatMap((mark) => (mark.kind === "text" ? [mark] : []));
      const said = `depth ${depth}, ${ideas} ideas`;
      assert.equal(names.length, layout.places.length, `${said}: a name is missing`);
      for (const { x, y, text } of names) {
        assert.ok(x + text.length * LETTER <= width, `${said}: ${text} ends at ${x + text.length * LETTER}`);
        assert.ok(y <= room.height && y >= 0, `${said}: ${text} is at height ${y} of ${room.height}`);
      }
    }
  });
}

test("a tree too large to be read at once is whole all the same", () => {
  const nodes = treeOf(3, 3000);
  const layout = layOut(nodes, "all", 830);
  const room = { width: 830, height: heightOf(layout, 830) };
  const { marks } = treeScene(nodes, layout, fitted(layout, room), undefined, room);
  const dots = marks.flatMap((mark) => (mark.kind === "shape" ? mark.rings.flat() : []));
  assert.ok(dots.every(([x, y]) => x >= 0 && x <= 830 && y >= 0 && y <= room.height));
  assert.ok(dots.length > 100);
});
