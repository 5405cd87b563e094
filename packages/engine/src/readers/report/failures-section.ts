import { type Markup, markup } from "../../page/markup.ts";
import { formatCount, formatMeasured } from "../figures.ts";
import type { FailureReport, FailuresReport } from "./run-report.ts";

/** Every failed attempt that was kept: what, where, which attempt, and behind it stack and last log lines. */
export function failuresSection({ shown, total, byType }: FailuresReport): Markup {
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
