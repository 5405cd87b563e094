import { formatPercent } from "@coppice/engine/figures";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunDetail } from "../../src/wire.ts";
import { ChartFrame, type LegendKey } from "../chart/chart-frame.tsx";
import { draw } from "../chart/scene.ts";
import { palette, shown } from "../theme.ts";
import { timelineAt, timelineScene } from "./timeline-scene.ts";

const legend: readonly LegendKey[] = [
  { colour: "accent", text: "at work" },
  { colour: "sunk", text: "waiting" },
  { colour: "bad", text: "failed" },
];

/** Who did what when. */
export function Timeline({ run }: { readonly run: RunDetail }) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [readout, setReadout] = useState("");
  const scheme = shown.value;
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(current.clientWidth));
    watch.observe(current);
    return () => watch.disconnect();
  }, []);
  // other colours are another drawing
  useEffect(() => {
    if (canvas.current !== null && width > 0) draw(timelineScene(run, width), canvas.current, palette());
  }, [run.timeline, run.hosts, width, scheme]);
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
          run.hosts[worker] ?? "this one",
          pid,
          done,
          failed,
          Math.round(busyMs),
          Math.round(aliveMs),
          formatPercent(aliveMs === 0 ? 0 : busyMs / aliveMs),
        ]),
      })}
      scene={() => timelineScene(run, Math.max(900, width))}
    >
      <div class="drawing" ref={place}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`${run.workers.length} workers, ${run.sessions} sessions; the numbers are in the table`}
          onPointerMove={({ offsetX, offsetY }) => setReadout(timelineAt(run, width, offsetX, offsetY))}
          onPointerLeave={() => setReadout("")}
        />
      </div>
    </ChartFrame>
  );
}
