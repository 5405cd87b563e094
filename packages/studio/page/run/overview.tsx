import {
  formatCount,
  formatMeasured,
  formatPercent,
  formatRate,
  formatRemaining,
  formatValue,
} from "@coppice/engine/figures";
import type { RunDetail } from "../../src/wire.ts";
import { LineChart } from "../chart/line-chart.tsx";
import { TablePanel } from "../chart/plain-table.tsx";
import { LongText } from "../long-text.tsx";
import { Timeline } from "./timeline.tsx";

/** How a run stands and how it got there. */
export function Overview({ run }: { readonly run: RunDetail }) {
  return (
    <>
      <Progress run={run} />
      {run.curve.length > 0 && (
        <LineChart
          title="Convergence"
          xName="tasks told"
          yName="best value"
          unit="in the search's own unit"
          series={[{ name: "best value", colour: "accent", points: run.curve.map(({ told, best }) => [told, best]) }]}
        />
      )}
      <Timeline run={run} />
      <div class="beside">
        {run.sessions > 1 && <Resumes run={run} />}
        {run.failures.total > 0 && <Failures run={run} />}
        {run.timers.length > 0 && <Timers run={run} />}
        {run.notes.length > 0 && <Notes run={run} />}
      </div>
    </>
  );
}

/** How far a run is, and when it will have ended. */
export function Progress({ run }: { readonly run: RunDetail }) {
  const figures: readonly (readonly [name: string, value: string | undefined])[] = [
    ["Told of asked", `${formatCount(run.told)} / ${formatCount(run.asked)}`],
    [capital(run.work?.unit ?? ""), run.work === undefined ? undefined : formatCount(run.work.done)],
    ["Best value", run.best === undefined ? undefined : formatValue(run.best)],
    ["Per second", run.rate === undefined ? undefined : formatRate(run.rate)],
    ["At work", formatMeasured(run.activeMs)],
    ["ETA", run.state === "running" && run.etaMs !== undefined ? formatRemaining(run.etaMs) : undefined],
    ["Failed", formatCount(run.counts.failed)],
    ["Tried again", formatCount(run.counts.retried)],
    ["From the cache", run.counts.cached > 0 ? formatCount(run.counts.cached) : undefined],
    ["Reused on resume", run.reused > 0 ? formatCount(run.reused) : undefined],
  ];
  return (
    <section class="panel" aria-label="Progress">
      <progress aria-label="Progress of the run" max={1} value={run.fraction ?? 0} />
      <dl class="figures">
        {figures.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {run.levels.length > 0 && (
        <div class="row small muted">
          {run.levels.map(({ name, done, total }) => (
            <span key={name}>
              {name}: {formatCount(done)} of {formatCount(total)}
            </span>
          ))}
        </div>
      )}
      {run.says.length > 0 && <LongText text={run.says.join("\n")} />}
    </section>
  );
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function Resumes({ run }: { readonly run: RunDetail }) {
  return (
    <TablePanel
      title={`Resumed ${formatCount(run.sessions - 1)}×`}
      columns={["After", "Reused", "Run again", "Why"]}
      rows={run.resumes.map(({ atMs, reused, rerun, reasons }) => [
        ...[formatMeasured(atMs), reused, rerun, reasons.join("; ") || "everything in the journal is reused"],
      ])}
    />
  );
}

function Failures({ run }: { readonly run: RunDetail }) {
  return (
    <TablePanel
      title={`${formatCount(run.failures.total)} failed ${run.failures.total === 1 ? "attempt" : "attempts"}`}
      columns={["Type", "Attempts"]}
      rows={run.failures.byType.map(({ type, count }) => [type, count])}
    >
      {run.failures.shown.slice(0, 5).map(({ ask, attempt, key, name, failure, detail }) => (
        <details key={`${ask}-${attempt}`}>
          <summary>
            {name ?? `#${ask} ${key}`}: {failure.message}
          </summary>
          <LongText text={[detail.stack, ...(detail.logTail ?? [])].filter((text) => text !== undefined).join("\n")} />
        </details>
      ))}
    </TablePanel>
  );
}

function Timers({ run }: { readonly run: RunDetail }) {
  return (
    <TablePanel
      title="Timers"
      columns={["Name", "Self", "With nested", "Calls"]}
      rows={run.timers.map(({ name, share, totalShare, count }) => [
        ...[name, formatPercent(share), formatPercent(totalShare), count],
      ])}
    />
  );
}

function Notes({ run }: { readonly run: RunDetail }) {
  return (
    <TablePanel
      title="What happened"
      columns={["After", "What"]}
      rows={run.notes.map(({ atMs, text }) => [formatMeasured(atMs), text])}
    />
  );
}
