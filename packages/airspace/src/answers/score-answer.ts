import { counted, right, tableText } from "@coppice/engine/display";
import { clockLabel } from "../instance/clock.ts";
import { type Instance, volumeOfId } from "../instance/instance.ts";
import { flowsCalled, namesOf } from "../instance/names.ts";
import { findHotspots } from "../network/hotspots.ts";
import { flowsOf, type Plan } from "../network/regulation.ts";
import { pricesText, type Weights } from "../network/weights.ts";
import { accountFor } from "../plan/plan-account.ts";

/** What a plan costs the network, and what each of its lines does at its own volume. */
export function scoreJson(instance: Instance, plan: Plan, weights: Weights) {
  const { before, after, lines, traffic } = accountFor(instance, plan, weights);
  const names = namesOf(instance);
  const delays = [...traffic.after.delayMinutes].filter((minutes) => minutes > 0).sort((a, b) => a - b);
  return {
    instance: instance.name,
    semantics: "corrected",
    weights,
    before,
    after,
    delta: after.objective - before.objective,
    hotspots: {
      before: findHotspots(instance, traffic.before.hourCount).length,
      after: findHotspots(instance, traffic.after.hourCount).length,
    },
    delays: {
      flights: delays.length,
      minutes: after.delayMinutes,
      mean: delays.length === 0 ? 0 : after.delayMinutes / delays.length,
      p95: delays[Math.ceil(0.95 * delays.length) - 1] ?? 0,
      max: delays.at(-1) ?? 0,
    },
    lines: lines.map(({ regulation, ...account }) => ({
      volume: instance.volumeIds[regulation.volume],
      name: names.volumes[regulation.volume],
      window: [regulation.fromBin, regulation.toBin],
      windowUtc: [clockLabel(regulation.fromBin, instance), clockLabel(regulation.toBin, instance)],
      flows: flowsOf(regulation.flows),
      flowNames: flowsOf(regulation.flows).map((flow) => names.flow(instance.flowNames[regulation.volume][flow])),
      rate: regulation.ratePerHour,
      ...account,
    })),
  };
}

/** A score and its parts for people. */
export function scoreText(score: ReturnType<typeof scoreJson>, instance: Instance): string {
  const { before, after, delta, hotspots, delays, lines, weights } = score;
  const parts = tableText(
    ["network", ...right("without", "with the plan")],
    [
      ["objective J", figure(before.objective), figure(after.objective)],
      ["exceedance", figure(before.exceedance), figure(after.exceedance)],
      ["delay, minutes", figure(before.delayMinutes), figure(after.delayMinutes)],
      ["regulations", figure(before.regulations), figure(after.regulations)],
      ["hotspots", figure(hotspots.before), figure(hotspots.after)],
      ...(["regularity", "smoothness", "share"] as const)
        .filter((name) => weights[name] > 0)
        .map((name) => [name, figure(before[name]), figure(after[name])]),
    ],
  );
  const places = ["volume", "name", "UTC", "flows"];
  const local = tableText(
    [...right("#"), ...places, ...right("rate/h", "flights", "minutes", "exceedance there", "change of J")],
    lines.map((line, k) => [
      String(k + 1),
      line.volume,
      line.name,
      line.windowUtc.join("-"),
      flowsCalled(instance, volumeOfId(instance, line.volume), line.flows, 1),
      figure(line.rate),
      figure(line.flightsDelayed),
      figure(line.delayMinutes),
      `${line.exceedanceBefore} -> ${line.exceedanceAfter}`,
      figure(line.delta),
    ]),
  );
  const summary = `change of J ${figure(delta)}; ${counted(delays.flights, "flight")} delayed, ${figure(delays.mean)} minutes on average, 95 % within ${delays.p95}, at most ${delays.max}`;
  return [
    score.instance,
    "",
    parts,
    "",
    summary,
    `prices: ${pricesText(weights)}`,
    ...(lines.length === 0 ? [] : ["", local]),
    "",
  ].join("\n");
}

/** A number with at most two decimals. */
export function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}
