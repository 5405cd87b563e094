import type { FlowView } from "@coppice/airspace/view";
import { formatCount } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { columnFormat } from "../chart/column-format.ts";
import { save } from "../chart/save.ts";
import type { ToolTabProps } from "../tools.tsx";
import { Demand, excessOf } from "./demand.tsx";
import { Hotspots } from "./hotspots.tsx";
import { LoadMap } from "./load-map.tsx";
import { Regulations } from "./regulations.tsx";
import { type WhatIf, whatIfOf } from "./what-if.ts";

/** A day with the plan that was found for it: on a map, volume by volume, line by line, and changed at will. */
export function FlowPlan({ view }: Pick<ToolTabProps, "view">) {
  // Cast: what the reader of this tool returns.
  const what = whatIfOf(view as FlowView);
  const { day, before } = what;
  const volume = useSignal(worstOf(what));
  const bin = useSignal(busiestBin(what, volume.value));
  return (
    <>
      <Score what={what} />
      <div class="map-and-demand">
        <LoadMap what={what} bin={bin} volume={volume} />
        <Demand what={what} bin={bin} volume={volume} />
      </div>
      {what.lines.value.length === 0 ? (
        <p class="muted">
          There is no plan yet: this is {day.name} without measures, {formatCount(before.hotspots)} hotspots.
        </p>
      ) : (
        <Regulations what={what} volume={volume} bin={bin} />
      )}
      <Hotspots what={what} volume={volume} bin={bin} />
    </>
  );
}

/** What the plan costs and saves, beside the day without it; a plan that somebody changed beside the one that was found. */
function Score({ what }: { readonly what: WhatIf }) {
  const { before, found, view, day } = what;
  const tried = what.tried.value;
  const changed =
    tried.plan !== found.plan && what.lines.value.some((line, at) => !line.on || line.regulation !== view.plan[at]);
  // Of a day without a plan there is nothing to compare or to save.
  const shownOf = changed ? 4 : view.plan.length === 0 ? 1 : 2;
  const rows = [
    ["Objective J", before.score.objective, found.score.objective, tried.score.objective],
    ["Flights above capacity", before.score.exceedance, found.score.exceedance, tried.score.exceedance],
    ["Delay, minutes", before.score.delayMinutes, found.score.delayMinutes, tried.score.delayMinutes],
    ["Hotspots", before.hotspots, found.hotspots, tried.hotspots],
    ["Regulations", 0, found.plan.length, tried.plan.length],
  ] as const;
  return (
    <section class="panel" aria-label="Score">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard */}
      <section class="scrolling" tabIndex={0} aria-label="What the plan costs">
        <table class="score">
          <thead>
            <tr>
              <th>{day.name}</th>
              <th class="number">Without</th>
              {shownOf > 1 && <th class="number">With the plan</th>}
              {changed && <th class="number">What if</th>}
              {changed && <th class="number">Change</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...values]) => {
              const text = columnFormat(values);
              const [, plan, now] = values;
              return (
                <tr key={name}>
                  <td>{name}</td>
                  {values.slice(0, shownOf).map((value, at) => (
                    <td key={at} class="number" title={String(value)}>
                      {text(value)}
                    </td>
                  ))}
                  {changed && (
                    <td class={`number ${now > plan ? "bad-text" : ""}`}>
                      {now > plan ? "+" : ""}
                      {text(now - plan)}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {shownOf > 1 && (
        <div class="row">
          <button
            type="button"
            onClick={() => save("plan.json", new Blob([what.file()], { type: "application/json" }))}
          >
            Save as a plan file
          </button>
          <button type="button" disabled={!changed} onClick={() => what.reset()}>
            Back to the plan that was found
          </button>
          <span class="small muted">
            <code>{view.scoredBy}</code> says the same of it.
          </span>
        </div>
      )}
    </section>
  );
}

function worstOf({ day, before }: WhatIf): number {
  const excess = excessOf(day, before.hourCount);
  return excess.indexOf(Math.max(...excess));
}

function busiestBin({ day, before }: WhatIf, volume: number): number {
  const row = before.hourCount.subarray(volume * day.binCount, (volume + 1) * day.binCount);
  return row.indexOf(row.reduce((a, b) => Math.max(a, b), 0));
}
