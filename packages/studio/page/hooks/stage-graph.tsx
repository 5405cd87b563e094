import type { StagedHooks } from "@coppice/hooks/view";
import { useCallback, useState } from "preact/hooks";
import { ChartFrame } from "../chart/chart-frame.tsx";
import type { Mark, Scene } from "../chart/scene.ts";
import { SceneCanvas } from "../chart/scene-canvas.tsx";

const [GAP, ROW, TOP, SIDE, LETTER] = [56, 34, 26, 8, 7];
/** Of a box, as wide as there is room. */
const [LEAST, MOST] = [112, 190];

/** Where a hook stands. */
interface Box {
  readonly x: number;
  readonly y: number;
}

/** How wide each box is, so that all stages are in sight where that is possible. */
function widthOf(stages: number, room: number): number {
  const each = (room - 2 * SIDE - (stages - 1) * GAP) / Math.max(1, stages);
  return Math.max(LEAST, Math.min(MOST, each));
}

function placed(stages: StagedHooks["stages"], box: number): ReadonlyMap<string, Box> {
  return new Map(
    stages.flatMap((stage, column) =>
      stage.map((hook, row): [string, Box] => [hook, { x: column * (box + GAP) + SIDE, y: TOP + row * ROW }]),
    ),
  );
}

/** Which hooks of an event run at once, stage beside stage, and who waits for whom. */
export function StageGraph({ staged }: { readonly staged: StagedHooks }) {
  const { event, stages, edges, serialBecause } = staged;
  const [readout, setReadout] = useState("");
  const scene = useCallback(
    (room: number): Scene => {
      const box = widthOf(stages.length, room);
      const boxes = placed(stages, box);
      const height = TOP + Math.max(1, ...stages.map((stage) => stage.length)) * ROW + 8;
      const marks: Mark[] = stages.map((_, column) => {
        return { kind: "text", x: column * (box + GAP) + SIDE, y: 14, text: `stage ${column + 1}`, fill: "muted" };
      });
      for (const { from, to } of edges) {
        const [early, late] = [boxes.get(from), boxes.get(to)];
        if (early === undefined || late === undefined) continue;
        const [fromX, toX] = [early.x + box, late.x];
        const points = [
          [fromX, early.y + 13],
          [fromX + 12, early.y + 13],
          [toX - 12, late.y + 13],
          [toX, late.y + 13],
        ] as const;
        marks.push({ kind: "line", points, stroke: "accent", width: 1.5 });
        marks.push({ kind: "shape", rings: [[[toX, late.y + 13]]], fill: "accent", stroke: "raised", radius: 4 });
      }
      for (const [hook, { x, y }] of boxes) {
        const letters = Math.floor((box - 2 * SIDE) / LETTER);
        const name = hook.length > letters ? `${hook.slice(0, letters - 1)}…` : hook;
        marks.push({ kind: "rect", x, y, width: box, height: 26, fill: "sunk" });
        marks.push({ kind: "text", x: x + 8, y: y + 17, text: name, fill: "ink" });
      }
      return { width: 2 * SIDE + stages.length * (box + GAP) - GAP, height, marks };
    },
    [stages, edges],
  );
  const sayAt = (x: number, y: number, room: number): string => {
    const wide = widthOf(stages.length, room);
    const hook = [...placed(stages, wide)].find(
      ([, box]) => x >= box.x && x <= box.x + wide && y >= box.y && y <= box.y + 26,
    )?.[0];
    if (hook === undefined) return "";
    const why = edges.filter(({ to }) => to === hook).flatMap((edge) => edge.why);
    return why.length === 0 ? `${hook} waits for nobody` : why.join("; ");
  };
  return (
    <ChartFrame
      title={`Stages of ${event}`}
      unit={serialBecause === null ? "hooks of a stage run at once" : `one by one, because ${serialBecause}`}
      legend={[{ colour: "accent", text: "waits for; the reason is below, and at the hook that waits" }]}
      readout={readout}
      table={() => ({
        columns: ["waits", "for", "why"],
        rows: edges.map(({ from, to, why }) => [to, from, why.join("; ")]),
      })}
      scene={() => scene(1200)}
    >
      <SceneCanvas
        scene={scene}
        scrolls
        label={`${stages.flat().length} hooks in ${stages.length} stages; who waits for whom is in the list`}
        sayAt={sayAt}
        onSay={setReadout}
        spots={(room) => [...placed(stages, widthOf(stages.length, room)).values()].map(({ x, y }) => [x + 4, y + 13])}
      />
      {edges.length > 0 && (
        <ul class="small reasons">
          {edges
            .flatMap(({ why }) => why)
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </ul>
      )}
    </ChartFrame>
  );
}
