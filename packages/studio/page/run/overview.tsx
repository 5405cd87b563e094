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
import { Timeline } from "./timeline.tsx";

/** How a run stands and how it got there. */
export function Overview({ run }: { readonly run: RunDetail }) {
  return (
    <>
      <Progress run={run} />
      {run.curve.length > 0 && (
        <LineChart
          title="Convergence"
          xName="evaluations told"
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

function Progress({ run }: { readonly run: RunDetail }) {
  const figures: readonly (readonly [name: string, value: string | undefined])[] = [
    ["Told of asked", `${formatCount(run.told)} / ${formatCount(run.asked)}`],
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
      {run.says.length > 0 && <pre>{run.says.join("\n")}</pre>}
    </section>
  );
}

function Resumes({ run }: { readonly run: RunDetail }) {
  return (
    <section class="panel" aria-label="Resumed">
      <h2>Resumed {formatCount(run.sessions - 1)}×</h2>
      <table>
        <thead>
          <tr>
            <th>After</th>
            <th class="number">Reused</th>
            <th class="number">Run again</th>
            <th>Why</th>
          </tr>
        </thead>
        <tbody>
          {run.resumes.map(({ atMs, reused, rerun, reasons }) => (
            <tr key={atMs}>
              <td class="short">{formatMeasured(atMs)}</td>
              <td class="number">{formatCount(reused)}</td>
              <td class="number">{formatCount(rerun)}</td>
              <td>{reasons.join("; ") || "everything in the journal is reused"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Failures({ run }: { readonly run: RunDetail }) {
  return (
    <section class="panel" aria-label="Failures">
      <h2>{formatCount(run.failures.total)} failed attempts</h2>
      <table>
        <thead>
          <tr>
            <th>Type</th>
            <th class="number">Attempts</th>
          </tr>
        </thead>
        <tbody>
          {run.failures.byType.map(({ type, count }) => (
            <tr key={type}>
              <td>{type}</td>
              <td class="number">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {run.failures.shown.slice(0, 5).map(({ ask, attempt, key, failure, detail }) => (
        <details key={`${ask}-${attempt}`}>
          <summary>
            #{ask} {key}: {failure.message}
          </summary>
          <pre>{[detail.stack, ...(detail.logTail ?? [])].filter((text) => text !== undefined).join("\n")}</pre>
        </details>
      ))}
    </section>
  );
}

function Timers({ run }: { readonly run: RunDetail }) {
  return (
    <section class="panel" aria-label="Timers">
      <h2>Timers</h2>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th class="number">Self</th>
            <th class="number">With nested</th>
            <th class="number">Calls</th>
          </tr>
        </thead>
        <tbody>
          {run.timers.map(({ name, share, totalShare, count }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{formatPercent(share)}</td>
              <td class="number">{formatPercent(totalShare)}</td>
              <td class="number">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Notes({ run }: { readonly run: RunDetail }) {
  return (
    <section class="panel" aria-label="What happened">
      <h2>What happened</h2>
      <table>
        <tbody>
          {run.notes.map(({ atMs, text }, index) => (
            <tr key={index}>
              <td class="muted short">{formatMeasured(atMs)}</td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
