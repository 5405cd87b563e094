import { formatPercent } from "@coppice/engine/figures";
import { useCallback, useState } from "preact/hooks";
import type { RunDetail } from "../../src/wire.ts";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import { SceneCanvas } from "../chart/scene-canvas.tsx";
import { machineOf, timelineAt, timelineScene, timelineSpots } from "./timeline-scene.ts";

const legend: readonly LegendKey[] = [
  { colour: "accent", text: "at work" },
  { colour: "line", text: "waiting" },
  { colour: "bad", text: "failed" },
];

/** Who did what when. */
export function Timeline({ run }: { readonly run: RunDetail }) {
  const [readout, setReadout] = useState("");
  const scene = useCallback((width: number) => timelineScene(run, width), [run.timeline, run.hosts]);
  return (
    <ChartFrame
      title="Workers"
      unit={`time at work, pauses between sessions left out${run.sessions > 1 ? "; dashed: resumed" : ""}`}
      legend={legend}
      readout={readout}
      table={() => ({
        columns: ["worker", "machine", "process", "done", "failed", "busy ms", "alive ms", "busy"],
        rows: run.workers.map(({ worker, pid, done, failed, busyMs, aliveMs }) => [
          worker,
          machineOf(run, worker),
          pid,
          done,
          failed,
          Math.round(busyMs),
          Math.round(aliveMs),
          formatPercent(aliveMs === 0 ? 0 : busyMs / aliveMs),
        ]),
      })}
      scene={() => timelineScene(run, 1200)}
    >
      <SceneCanvas
        scene={scene}
        scrolls
        label={`${run.workers.length} workers, ${run.sessions} sessions; the numbers are in the table`}
        sayAt={(x, y, width) => timelineAt(run, width, x, y)}
        onSay={setReadout}
        spots={(width) => timelineSpots(run, width)}
      />
    </ChartFrame>
  );
}
