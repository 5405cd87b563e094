import { formatCount, formatMeasured, formatPercent, formatRate, formatValue } from "../display/figures.ts";
import { progressLine } from "../display/summary-line.ts";
import { type Markup, markup } from "../page/markup.ts";
import { page, table } from "../page/page-frame.ts";
import { LOGS, workerLogName } from "../readers/run-logs.ts";
import type { TimerShare } from "../timers/shares.ts";
import { curveChart, pageScript } from "./curve-chart.ts";
import { type RunState, reportFacts, runState } from "./report-facts.ts";
import type { FailureReport, FailuresReport, RunReport } from "./run-report.ts";
import { timelineChart } from "./timeline-chart.ts";

const MAX_WORKER_ROWS = 200;

/** The report as one HTML document that needs nothing else. */
export function reportPage(report: RunReport): string {
  const state = runState(report);
  return page({
    title: `Run ${report.start?.id ?? "?"}`,
    badge: markup`<span class="state ${stateClass[state]}">${state}</span>`,
    lead: lead(report),
    body: markup`${tiles(report)}
<section><h2>Convergence</h2><div class="panel">${curveChart(report.curve, report.told)}</div></section>
<section><h2>Timeline</h2><div class="panel">${timelineChart(report.timeline)}${legend(report)}</div></section>
${failuresSection(report.failures)}
${timersSection(report.timers)}
${workersSection(report)}
${factsSection(report)}
${notesSection(report)}`,
    footer: "Made by coppice from the run's own record. Times depend on the machine that ran it; the digest does not.",
    script: pageScript,
  });
}

const stateClass: Readonly<Record<RunState, string>> = {
  done: "done",
  stopped: "error",
  error: "error",
  interrupted: "open",
  running: "open",
  "cut off": "open",
  unfinished: "open",
};

function lead(report: RunReport): string {
  const { end, levels, activeMs } = report;
  if (end !== undefined && end.state !== "done") return end.message;
  if (end === undefined)
    return levels.length > 0
      ? progressLine(levels, activeMs, null)
      : "The run has not ended, or was cut off; it can be resumed.";
  return end.reproducible.from === "seed"
    ? "The same seed, options and inputs give the same digest on any machine."
    : `Reproducible from its journal, not from its seed: ${end.reproducible.reason} at tell ${formatCount(end.reproducible.tell)}.`;
}

function tiles({ counts, told, asked, best, activeMs, workers }: RunReport): Markup {
  const evaluated = counts.completed + counts.failed;
  const busyMs = workers.reduce((sum, worker) => sum + worker.busyMs, 0);
  const aliveMs = workers.reduce((sum, worker) => sum + worker.aliveMs, 0);
  return markup`<dl class="tiles">
${best === undefined ? undefined : tile("Best value", formatValue(best))}
${tile(told === asked ? "Told" : `Told of ${formatCount(asked)}`, formatCount(told))}
${tile("Evaluated", formatCount(evaluated))}
${tile("Failed", formatCount(counts.failed), counts.failed > 0)}
${tile("Time at work", formatMeasured(activeMs))}
${activeMs > 0 ? tile("Rate", formatRate((evaluated * 1000) / activeMs)) : undefined}
${aliveMs > 0 ? tile("Workers busy", formatPercent(Math.min(1, busyMs / aliveMs))) : undefined}
</dl>`;
}

function tile(name: string, value: string, bad = false): Markup {
  return markup`<div class="tile${bad ? " bad" : ""}"><dt>${name}</dt><dd>${value}</dd></div>`;
}

function legend({ timeline, failures }: RunReport): Markup {
  return markup`<p class="legend"><span><i></i>${timeline.spans === undefined ? "busy, the fuller the darker" : "evaluating"}</span>${
    failures.total > 0 ? markup`<span><i class="bad"></i>failed attempt</span>` : undefined
  }${timeline.sessionsMs.length > 0 ? markup`<span><i class="resume"></i>resumed</span>` : undefined}</p>`;
}

function workersSection({ workers, start }: RunReport): Markup | undefined {
  if (workers.length === 0) return undefined;
  const shown = workers.slice(0, MAX_WORKER_ROWS);
  const more = workers.length - shown.length;
  const columns = ["worker", ...["done", "failed attempts", "busy", "mean task"].map((number) => ({ number })), "log"];
  const rows = shown.map(({ worker, done, failed, busyMs, aliveMs }) => {
    const ended = done + failed;
    const log = `${LOGS}/${workerLogName(worker)}`;
    return [
      worker,
      formatCount(done),
      formatCount(failed),
      aliveMs > 0 ? formatPercent(Math.min(1, busyMs / aliveMs)) : "–",
      ended > 0 ? formatMeasured(busyMs / ended) : "–",
      start?.directory === undefined ? "–" : markup`<a href="${log}">${log}</a>`,
    ];
  });
  return markup`<section><h2>Workers <small>${workers.length}</small></h2><div class="panel long">${table(columns, rows)}${more > 0 ? markup`<p class="dim">… ${more} more</p>` : undefined}</div></section>`;
}

function factsSection(report: RunReport): Markup {
  return markup`<section><h2>Facts</h2><div class="panel"><table class="facts"><tbody>${reportFacts(report).map(
    ({ name, value }) => markup`<tr><th scope="row">${name}</th><td class="text mono">${value}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function notesSection({ notes }: RunReport): Markup | undefined {
  if (notes.length === 0) return undefined;
  return markup`<section><h2>Notes</h2><div class="panel"><table><tbody>${notes.map(
    ({ atMs, text }) =>
      markup`<tr><td class="number dim">${formatMeasured(atMs)}</td><td class="text">${text}</td></tr>`,
  )}</tbody></table></div></section>`;
}

/** Every failed attempt that was kept: what, where, which attempt, and behind it stack and last log lines. */
function failuresSection({ shown, total, byType }: FailuresReport): Markup {
  if (total === 0) {
    return markup`<section id="failures"><h2>Failures</h2><div class="panel"><p class="empty">No attempt failed.</p></div></section>`;
  }
  const types = byType.map(({ type, count }) => `${type} × ${formatCount(count)}`).join(", ");
  const more = total - shown.length;
  return markup`<section id="failures"><h2>Failures <small>${formatCount(total)} attempts: ${types}</small></h2><div class="panel long"><table>
<thead><tr><th class="number">at</th><th class="number">task</th><th class="number">attempt</th><th>failure</th><th>then</th></tr></thead>
<tbody>${shown.map(failureRow)}</tbody></table>${
    more > 0 ? markup`<p class="dim">… ${formatCount(more)} more; the journal has them all</p>` : undefined
  }</div></section>`;
}

function failureRow({ atMs, ask, key, attempt, willRetry, worker, elapsedMs, failure, detail }: FailureReport): Markup {
  const where = [
    `key ${key}`,
    `worker ${worker}`,
    `after ${formatMeasured(elapsedMs)}`,
    ...(detail.timedOut ? ["timed out"] : []),
    ...(detail.workerLost ? ["worker lost"] : []),
    ...(detail.exitCode === undefined ? [] : [`exit code ${detail.exitCode}`]),
    ...(detail.signal === undefined ? [] : [detail.signal]),
  ].join(" · ");
  return markup`<tr><td class="number dim">${formatMeasured(atMs)}</td><td class="number">${ask}</td><td class="number">${attempt + 1}</td>
<td class="text"><span class="kind">${failure.type}</span> ${failure.message}
<details><summary>${where}</summary>${block(undefined, detail.stack)}${block("caused by", detail.causes?.join("\n"))}${block("last log lines", detail.logTail?.join("\n"))}</details></td>
<td>${willRetry ? "tried again" : "given up"}</td></tr>`;
}

function block(title: string | undefined, text: string | undefined): Markup | undefined {
  if (text === undefined || text === "") return undefined;
  return markup`${title === undefined ? undefined : markup`<div class="dim">${title}</div>`}<pre>${text}</pre>`;
}

/** Each named timer's share of the workers' time; absent when no timer ran. */
function timersSection(timers: readonly TimerShare[]): Markup | undefined {
  if (timers.length === 0) return undefined;
  const sum = timers.reduce((total, { share }) => total + share, 0);
  return markup`<section id="timers"><h2>Timers <small>shares of the workers' time; without nested timers they add up to ${formatPercent(sum)}</small></h2>
<div class="panel"><table>
<thead><tr><th>name</th><th></th><th class="number">self</th><th class="number">self time</th><th class="number">with nested</th><th class="number">time</th><th class="number">count</th></tr></thead>
<tbody>${timers.map(
    ({ name, share, totalShare, selfMs, ms, count }) =>
      markup`<tr><td class="text mono">${name}</td><td><div class="bar"><span class="total" style="width:${formatPercent(totalShare)}"></span><span style="width:${formatPercent(share)}"></span></div></td><td class="number">${formatPercent(share)}</td><td class="number">${formatMeasured(selfMs)}</td><td class="number">${formatPercent(totalShare)}</td><td class="number">${formatMeasured(ms)}</td><td class="number">${formatCount(count)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
