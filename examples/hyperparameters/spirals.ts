import { type Random, random } from "@coppice/engine/evaluator";

/** Points of two interleaved spirals: x, y pairs and which spiral (0 or 1). */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly spiral: Uint8Array;
}

export interface SpiralOptions {
  readonly points: number;
  readonly noise: number;
  readonly dataSeed: number;
}

/** Training and validation points; a fixed function of the options. */
export function spirals({ points, noise, dataSeed }: SpiralOptions): {
  readonly train: Points;
  readonly valid: Points;
} {
  const data = random(dataSeed);
  return { train: draw(data.at("train"), points, noise), valid: draw(data.at("valid"), points, noise) };
}

function draw(stream: Random, points: number, noise: number): Points {
  const x = new Float64Array(points);
  const y = new Float64Array(points);
  const spiral = new Uint8Array(points);
  for (let i = 0; i < points; i++) {
    spiral[i] = i % 2;
    const turn = 3 * Math.sqrt(stream.uniform());
    const angle = turn * Math.PI + spiral[i] * Math.PI;
    x[i] = (turn / 3) * Math.cos(angle) + stream.normal(0, noise);
    y[i] = (turn / 3) * Math.sin(angle) + stream.normal(0, noise);
  }
  return { x, y, spiral };
}
