import { type Markup, markup } from "../../page/markup.ts";
import type { TimerShare } from "../../timers/shares.ts";
import { formatCount, formatMeasured, formatPercent } from "../figures.ts";

/** Each named timer's share of the workers' time; absent when no timer ran. */
export function timersSection(timers: readonly TimerShare[]): Markup | undefined {
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
