import type { StagedHooks } from "@coppice/hooks/view";
import { useCallback, useMemo, useState } from "preact/hooks";
import { ChartFrame } from "../chart/chart-frame.tsx";
import type { Mark, Scene } from "../chart/scene.ts";
import { SceneCanvas } from "../chart/scene-canvas.tsx";

const [BOX, GAP, ROW, TOP] = [190, 70, 34, 26];

/** Where a hook stands. */
interface Box {
  readonly x: number;
  readonly y: number;
}

/** Which hooks of an event run at once, stage beside stage, and who waits for whom. */
export function StageGraph({ staged }: { readonly staged: StagedHooks }) {
  const { event, stages, edges, serialBecause } = staged;
  const [readout, setReadout] = useState("");
  const boxes = useMemo(() => {
    const placed = stages.flatMap((stage, column) =>
      stage.map((hook, row): [string, Box] => [hook, { x: column * (BOX + GAP) + 8, y: TOP + row * ROW }]),
    );
    return new Map(placed);
  }, [stages]);
  const needed = stages.length * (BOX + GAP);
  const scene = useCallback((): Scene => {
    const height = TOP + Math.max(1, ...stages.map((stage) => stage.length)) * ROW + 8;
    const marks: Mark[] = stages.map((_, column) => {
      return { kind: "text", x: column * (BOX + GAP) + 8, y: 14, text: `stage ${column + 1}`, fill: "muted" };
    });
    for (const { from, to } of edges) {
      const [early, late] = [boxes.get(from), boxes.get(to)];
      if (early === undefined || late === undefined) continue;
      const [fromX, toX] = [early.x + BOX, late.x];
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
      const name = hook.length > 26 ? `${hook.slice(0, 25)}…` : hook;
      marks.push({ kind: "rect", x, y, width: BOX, height: 26, fill: "sunk" });
      marks.push({ kind: "text", x: x + 8, y: y + 17, text: name, fill: "ink" });
    }
    return { width: needed, height, marks };
  }, [stages, edges, boxes]);
  const sayAt = (x: number, y: number): string => {
    const hook = [...boxes].find(([, box]) => x >= box.x && x <= box.x + BOX && y >= box.y && y <= box.y + 26)?.[0];
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
      scene={scene}
    >
      <SceneCanvas
        scene={scene}
        scrolls
        label={`${boxes.size} hooks in ${stages.length} stages; who waits for whom is in the list`}
        onPoint={(x, y) => setReadout(sayAt(x, y))}
        onLeave={() => setReadout("")}
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
