import type { LegendKey } from "./chart-frame.tsx";
import { lowered, type Mark, type Scene } from "./scene.ts";

const [LEFT, TOP, LINE, LETTER] = [12, 18, 18, 7];

/** The drawing as it is saved: title, units and legend above it, in as many lines as they need. */
export function titled(scene: Scene, title: string, unit: string, legend: readonly LegendKey[]): Scene {
  const marks: Mark[] = [];
  let y = TOP;
  for (const text of lines(`${title} (${unit})`, Math.floor((scene.width - 2 * LEFT) / LETTER))) {
    marks.push({ kind: "text", x: LEFT, y, text, fill: "ink" });
    y += LINE;
  }
  let x = LEFT;
  for (const { colour, text } of legend) {
    const wide = 24 + LETTER * text.length;
    if (x > LEFT && x + wide > scene.width) [x, y] = [LEFT, y + LINE];
    marks.push({ kind: "rect", x, y: y - 9, width: 10, height: 10, fill: colour });
    marks.push({ kind: "text", x: x + 14, y, text, fill: "muted" });
    x += wide;
  }
  const head = y + 8;
  return {
    width: scene.width,
    height: scene.height + head,
    marks: [...marks, ...scene.marks.map((mark) => lowered(mark, head))],
  };
}

/** A text in lines of at most so many letters, broken between words. */
function lines(text: string, letters: number): readonly string[] {
  const [first, ...words] = text.split(" ");
  const broken = [first];
  for (const word of words) {
    const longer = `${broken.at(-1)} ${word}`;
    if (longer.length > letters) broken.push(word);
    else broken[broken.length - 1] = longer;
  }
  return broken;
}
