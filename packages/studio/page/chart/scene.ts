import type { Palette } from "../theme.ts";

/** A part of a drawing. Colours are names of the palette. */
export type Mark =
  | {
      readonly kind: "rect";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: keyof Palette;
      readonly opacity?: number;
    }
  | {
      readonly kind: "line";
      readonly points: readonly (readonly [x: number, y: number])[];
      readonly stroke: keyof Palette;
      readonly width?: number;
      readonly dash?: number;
    }
  | {
      readonly kind: "shape";
      /** Outlines of one shape; one of a single point is a dot. */
      readonly rings: readonly (readonly (readonly [x: number, y: number])[])[];
      readonly fill: keyof Palette;
      readonly stroke: keyof Palette;
      readonly width?: number;
      /** Of a dot. */
      readonly radius?: number;
    }
  | {
      readonly kind: "text";
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly fill: keyof Palette;
      readonly anchor?: "start" | "middle" | "end";
      /** Read from below to above. */
      readonly upright?: boolean;
      /** Over other marks: with an edge in the colour of the paper. */
      readonly edged?: boolean;
    };

/** A drawing that can be shown on a canvas or written as SVG, the same. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

const FONT = "12px system-ui, sans-serif";

/** Shows a drawing, sharp on any screen. */
export function draw(scene: Scene, canvas: HTMLCanvasElement, colours: Palette): void {
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(scene.width * ratio);
  canvas.height = Math.round(scene.height * ratio);
  canvas.style.width = `${scene.width}px`;
  canvas.style.height = `${scene.height}px`;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = FONT;
  for (const mark of scene.marks) paint(mark, context, colours);
}

function paint(mark: Mark, context: CanvasRenderingContext2D, colours: Palette): void {
  switch (mark.kind) {
    case "rect":
      context.globalAlpha = mark.opacity ?? 1;
      context.fillStyle = colours[mark.fill];
      context.fillRect(mark.x, mark.y, mark.width, mark.height);
      context.globalAlpha = 1;
      return;
    case "line":
      context.strokeStyle = colours[mark.stroke];
      context.lineWidth = mark.width ?? 1;
      context.setLineDash(mark.dash === undefined ? [] : [mark.dash, mark.dash]);
      context.beginPath();
      for (const [x, y] of mark.points) context.lineTo(x, y);
      context.stroke();
      return;
    case "shape":
      context.fillStyle = colours[mark.fill];
      context.strokeStyle = colours[mark.stroke];
      context.lineWidth = mark.width ?? 1;
      context.setLineDash([]);
      context.beginPath();
      for (const ring of mark.rings) {
        if (ring.length === 1) context.arc(ring[0][0], ring[0][1], mark.radius ?? 3, 0, 2 * Math.PI);
        ring.forEach(([x, y], index) => {
          if (ring.length === 1) return;
          if (index === 0) context.moveTo(x, y);
          else context.lineTo(x, y);
        });
        context.closePath();
      }
      context.fill();
      context.stroke();
      return;
    case "text":
      context.fillStyle = colours[mark.fill];
      context.textAlign = mark.anchor === "middle" ? "center" : (mark.anchor ?? "start");
      if (mark.upright === true) {
        context.save();
        context.translate(mark.x, mark.y);
        context.rotate(-Math.PI / 2);
        context.fillText(mark.text, 0, 0);
        context.restore();
        return;
      }
      if (mark.edged === true) {
        context.strokeStyle = colours.raised;
        context.lineWidth = 3;
        context.lineJoin = "round";
        context.setLineDash([]);
        context.strokeText(mark.text, mark.x, mark.y);
      }
      context.fillText(mark.text, mark.x, mark.y);
      return;
    default:
      mark satisfies never;
  }
}

/** A part of a drawing further down. */
export function lowered(mark: Mark, by: number): Mark {
  const down = (points: readonly (readonly [number, number])[]) => points.map(([x, y]) => [x, y + by] as const);
  if (mark.kind === "line") return { ...mark, points: down(mark.points) };
  return mark.kind === "shape" ? { ...mark, rings: mark.rings.map(down) } : { ...mark, y: mark.y + by };
}

/** The drawing as SVG that needs nothing else. */
export function svgOf({ width, height, marks }: Scene, colours: Palette): string {
  const inside = [
    `<rect width="${width}" height="${height}" fill="${colours.raised}"/>`,
    ...marks.map((mark) => svgMark(mark, colours)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">${inside.join("")}</svg>\n`;
}

function svgMark(mark: Mark, colours: Palette): string {
  switch (mark.kind) {
    case "rect":
      return `<rect x="${short(mark.x)}" y="${short(mark.y)}" width="${short(mark.width)}" height="${short(mark.height)}" fill="${colours[mark.fill]}"${mark.opacity === undefined ? "" : ` opacity="${short(mark.opacity)}"`}/>`;
    case "line":
      return `<polyline points="${mark.points.map(([x, y]) => `${short(x)},${short(y)}`).join(" ")}" fill="none" stroke="${colours[mark.stroke]}" stroke-width="${mark.width ?? 1}"${mark.dash === undefined ? "" : ` stroke-dasharray="${mark.dash}"`}/>`;
    case "shape": {
      const look = `fill="${colours[mark.fill]}" stroke="${colours[mark.stroke]}" stroke-width="${mark.width ?? 1}"`;
      const [[[x, y], ...more]] = mark.rings;
      if (more.length === 0) return `<circle cx="${short(x)}" cy="${short(y)}" r="${mark.radius ?? 3}" ${look}/>`;
      return `<path d="${mark.rings.map((ring) => `M${ring.map(([px, py]) => `${short(px)} ${short(py)}`).join("L")}Z`).join("")}" ${look}/>`;
    }
    case "text":
      return `<text x="${short(mark.x)}" y="${short(mark.y)}" fill="${colours[mark.fill]}" text-anchor="${mark.anchor ?? "start"}"${mark.upright === true ? ` transform="rotate(-90 ${short(mark.x)} ${short(mark.y)})"` : ""}${mark.edged === true ? ` paint-order="stroke" stroke="${colours.raised}" stroke-width="3"` : ""}>${escaped(mark.text)}</text>`;
    default:
      return mark satisfies never;
  }
}

function short(value: number): string {
  return String(Number(value.toFixed(2)));
}

function escaped(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
