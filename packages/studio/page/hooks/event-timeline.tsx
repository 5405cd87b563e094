import { formatMeasured } from "@coppice/engine/figures";
import type { EventCourse } from "@coppice/hooks/view";
import { useCallback, useState } from "preact/hooks";
import { ChartFrame } from "../chart/chart-frame.tsx";
import type { Scene } from "../chart/scene.ts";
import { SceneCanvas } from "../chart/scene-canvas.tsx";

const [ROW, BAR, RIGHT, BOTTOM] = [22, 14, 70, 22];

/** One event as it went: when each hook began and ended, and how. */
export function EventTimeline({ course: { event, hooks } }: { readonly course: EventCourse }) {
  const [readout, setReadout] = useState("");
  const endMs = hooks.reduce((most, { queued_ms, duration_ms }) => Math.max(most, queued_ms + duration_ms), 1);
  const scene = useCallback(
    (width: number): Scene => {
      const left = Math.min(220, 0.35 * width);
      const scale = (width - left - RIGHT) / endMs;
      const letters = Math.floor(left / 7);
      const height = hooks.length * ROW + BOTTOM;
      return {
        width,
        height,
        marks: [
          ...hooks.flatMap(({ hook, queued_ms, duration_ms, outcome }, row) => {
            const y = row * ROW + 2;
            const x = left + queued_ms * scale;
            const name = hook.length > letters ? `${hook.slice(0, letters - 1)}…` : hook;
            const wide = Math.max(2, duration_ms * scale);
            return [
              { kind: "text", x: left - 8, y: y + 12, text: name, fill: "ink", anchor: "end" },
              { kind: "rect", x: left, y: y + 5, width: queued_ms * scale, height: 4, fill: "line" },
              { kind: "rect", x, y, width: wide, height: BAR, fill: colourOf(outcome) },
              { kind: "text", x: x + wide + 4, y: y + 12, text: formatMeasured(duration_ms), fill: "muted" },
            ] as const;
          }),
          { kind: "text", x: left, y: height - 4, text: "0", fill: "muted" },
          { kind: "text", x: width - RIGHT, y: height - 4, text: formatMeasured(endMs), fill: "muted", anchor: "end" },
        ],
      };
    },
    [hooks],
  );
  const sayAt = (y: number): string => {
    const found = hooks[Math.floor((y - 2) / ROW)];
    if (found === undefined) return "";
    const { hook, stage, queued_ms, duration_ms, outcome } = found;
    return `${hook}: stage ${stage}, waited ${formatMeasured(queued_ms)}, took ${formatMeasured(duration_ms)}, ${outcome}`;
  };
  return (
    <ChartFrame
      title={`Course of ${event}`}
      unit="time since the event; the thin line is waiting"
      legend={[
        { colour: "accent", text: "went well" },
        { colour: "warn", text: "blocked" },
        { colour: "bad", text: "failed" },
      ]}
      readout={readout}
      table={() => ({
        columns: ["hook", "stage", "waited ms", "took ms", "outcome"],
        rows: hooks.map((each) => [each.hook, each.stage, each.queued_ms, each.duration_ms, each.outcome]),
      })}
      scene={() => scene(900)}
    >
      <SceneCanvas
        scene={scene}
        scrolls
        label={`${hooks.length} hooks; the numbers are in the table`}
        sayAt={(_, y) => sayAt(y)}
        onSay={setReadout}
        spots={() => hooks.map((_, row) => [0, row * ROW + 2 + BAR / 2])}
      />
    </ChartFrame>
  );
}

function colourOf(outcome: string) {
  return outcome === "ok" ? "accent" : outcome === "block" ? "warn" : "bad";
}
