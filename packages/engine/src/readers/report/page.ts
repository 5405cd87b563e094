import { type Markup, markup } from "../../page/markup.ts";
import { page, table } from "../../page/page.ts";
import { formatCount, formatMeasured, formatPercent, formatRate, formatValue } from "../figures.ts";
import { progressLine } from "../levels.ts";
import { LOGS, workerLogName } from "../run-logs.ts";
import { curveChart } from "./curve-chart.ts";
import { failuresSection } from "./failures-section.ts";
import { pageScript } from "./page-script.ts";
import { type RunState, reportFacts, runState } from "./report-facts.ts";
import type { RunReport } from "./run-report.ts";
import { timelineChart } from "./timeline-chart.ts";
import { timersSection } from "./timers-section.ts";

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
    footer: "Made by coppice from the run's own record. Times are of the machine that ran it; the digest is not.",
    script: pageScript,
  });
}

const stateClass: Readonly<Record<RunState, string>> = {
  done: "done",
  stopped: "error",
  error: "error",
  interrupted: "open",
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
