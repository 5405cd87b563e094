import type { HooksView } from "@coppice/hooks/view";
import { signal, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { BarChart } from "../chart/bar-chart.tsx";
import { TablePanel } from "../chart/plain-table.tsx";
import { ask } from "../connection.ts";
import { EventTimeline } from "./event-timeline.tsx";
import { StageGraph } from "./stage-graph.tsx";

const SLOWEST = 20;
const ms = (value: number) => `${value.toFixed(1)} ms`;
const minute = (ts: number) => new Date(ts).toISOString().slice(0, 16).replace("T", " ");

/** Whether the project has hooks, or had some this week. */
export const hasHooks = signal(false);

/** Finds that out. */
export async function lookForHooks(): Promise<void> {
  const { events, courses } = await ask<HooksView>("/api/hooks").catch(() => ({ events: [], courses: [] }));
  hasHooks.value = events.length + courses.length > 0;
}

/** The hooks of the project: what waits for what and why, how events went, what takes long. */
export function HooksPage() {
  const hooks = useSignal<HooksView | undefined>(undefined);
  const said = useSignal("");
  useEffect(() => {
    document.title = "Hooks · Coppice studio";
    ask<HooksView>("/api/hooks").then(
      (found) => {
        hooks.value = found;
      },
      (error: Error) => {
        said.value = error.message;
      },
    );
  }, [hooks, said]);
  return (
    <>
      <h1>Hooks</h1>
      {said.value !== "" && <div class="notice">{said.value}</div>}
      {hooks.value === undefined ? <p class="muted">Reading the hooks …</p> : <Hooks view={hooks.value} />}
    </>
  );
}

/** The same of what was read before. */
export function Hooks({ view }: { readonly view: object }) {
  // Cast: what the reader of hooks returns.
  const { events, courses, slowest, tables, suggestions, problems, from, to } = view as HooksView;
  const [event, setEvent] = useState(0);
  const [course, setCourse] = useState(0);
  const bars = slowest
    .slice(0, SLOWEST)
    .map(({ hook, event: of, meanMs }) => ({ name: `${hook} (${of})`, value: meanMs }));
  return (
    <>
      {problems.length > 0 && <div class="notice">{problems.join("; ")}</div>}
      {events.length === 0 && <p class="muted">No hooks are configured in this project.</p>}
      {events.length > 0 && (
        <>
          <Choice name="Event" chosen={event} names={events.map((each) => each.event)} onChoose={setEvent} />
          <StageGraph key={event} staged={events[event]} />
        </>
      )}
      {courses.length > 0 && (
        <>
          <Choice
            name="Happened"
            chosen={course}
            names={courses.map(({ event: of, ts }) => `${of}, ${minute(ts)} UTC`)}
            onChoose={setCourse}
          />
          <EventTimeline key={course} course={courses[course]} />
        </>
      )}
      {bars.length > 0 && (
        <BarChart
          title="Slowest hooks"
          unit={`mean milliseconds, ${minute(from)} to ${minute(to)} UTC`}
          columns={["hook", "mean ms"]}
          bars={bars}
          text={ms}
        />
      )}
      {[
        ["Events, times in ms", tables.events] as const,
        ["Hooks, slowest first, times in ms", tables.hooks] as const,
        ["What waiting costs per event", tables.costs] as const,
      ].map(([title, { head, rows }]) => {
        return rows.length > 0 && <TablePanel key={title} title={title} columns={head} rows={rows} />;
      })}
      {suggestions.length > 0 && (
        <section class="panel" aria-label="Suggestions">
          <h2>Suggestions</h2>
          <ul class="reasons">
            {suggestions.map((suggestion) => (
              <li key={suggestion}>{suggestion}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly chosen: number;
  readonly names: readonly string[];
  readonly onChoose: (index: number) => void;
}

function Choice({ name, chosen, names, onChoose }: ChoiceProps) {
  return (
    <label>
      {name}{" "}
      <select value={String(chosen)} onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}>
        {names.map((each, index) => (
          <option key={index} value={String(index)}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
