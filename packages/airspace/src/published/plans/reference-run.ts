import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted, right, tableText } from "@coppice/engine/display";
import type { PreparedRun } from "@coppice/engine/session";
import { type DayChoice, openDay } from "../../import/open-day.ts";
import { encodeInstance } from "../../instance/artifact.ts";
import { binLabel, clockLabel } from "../../instance/clock.ts";
import type { Instance } from "../../instance/instance.ts";
import { namesOf } from "../../instance/names.ts";
import { fromHere } from "../../planner/planning-text.ts";
import { hotspotInventory, type InventoryOptions } from "../hotspots/inventory.ts";
import { chosenInventory } from "../hotspots/inventory-file.ts";
import { type PublishedScore, publishedScore, readPublishedPlan } from "./published-plan.ts";
import { type FoundRegulation, type ReferenceResult, ReferenceSearch } from "./reference-search.ts";

/** What `run.json` keeps of a search for a plan by the published objective. */
export interface ReferenceRecord extends DayChoice {
  readonly semantics: "reference";
  readonly discovery?: string;
  readonly maxRegulations: number;
  readonly out?: string;
}

/** Regulations of a plan, where nobody said how many. */
const USUAL_MOST = 12;

/** The record of such a search as it was chosen. */
export function referenceRecord(
  choice: DayChoice & { readonly discovery?: string; readonly maxRegulations?: number; readonly out?: string },
): ReferenceRecord {
  const { instance, scenario, discovery, maxRegulations = USUAL_MOST, out } = choice;
  return {
    semantics: "reference",
    ...(instance === undefined ? {} : { instance: resolve(instance) }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(discovery === undefined ? {} : { discovery: resolve(discovery) }),
    maxRegulations,
    ...(out === undefined ? {} : { out: resolve(out) }),
  };
}

/** A search for a plan by the published objective, as the engine wants it. */
export function referenceRun(record: ReferenceRecord): PreparedRun<unknown, unknown, ReferenceResult> {
  const instance = openDay(record);
  const options = chosenInventory(instance, record);
  const candidates = hotspotInventory(instance, options);
  const bytes = encodeInstance(instance);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  const planOf = (result: ReferenceResult) => referencePlan(instance, result, options);
  const pathIn = (directory: string) => record.out ?? join(directory, "plan.json");
  return {
    tool: "flow-plan",
    record: () => record,
    // Cast: the engine hands the search nothing but what its own evaluator answers.
    search: new ReferenceSearch(candidates, record.maxRegulations) as PreparedRun<
      unknown,
      unknown,
      ReferenceResult
    >["search"],
    evaluator: new URL("./reference-evaluator.ts", import.meta.url),
    context: null,
    shared: { instance: shared },
    inputs: hash("sha256", Buffer.concat([bytes, Buffer.from(JSON.stringify(candidates))])),
    finish(result, directory) {
      const text = `${JSON.stringify(planOf(result).file, undefined, 2)}\n`;
      for (const path of new Set([join(directory, "plan.json"), pathIn(directory)])) writeFileSync(path, text);
    },
    describe: (result, directory) => referenceText(instance, result, planOf(result).score, pathIn(directory)),
    document: (result, directory) => {
      const { file, score } = planOf(result);
      return { ...file, ...score, result, files: { plan: pathIn(directory) } };
    },
    exitCode: (end) =>
      end.state === "done" && end.result.failures.length > 0 && end.result.evaluations === 0 ? 1 : undefined,
  };
}

/** The plan as the published planner writes it, and its published score. */
export function referencePlan(
  instance: Instance,
  { regulations }: ReferenceResult,
  options: InventoryOptions,
): { readonly file: { readonly plan: readonly object[] }; readonly score: PublishedScore } {
  const plan = regulations.map(({ volume, window: [from, to], mode, rates }) => ({
    control_volume_id: instance.volumeIds[volume],
    window_bins: [from, to],
    window_labels: { start: binLabel(from, instance), end: binLabel(to - 1, instance) },
    mode,
    flow_ids: Object.keys(rates),
    rates_per_flow: mode === "blanket" ? null : rates,
    blanket_rate: mode === "blanket" ? Object.values(rates)[0] : null,
  }));
  const score = publishedScore(
    instance,
    readPublishedPlan({ source: "plan", text: JSON.stringify(plan) }, instance),
    options,
  );
  const file = {
    instance: instance.name,
    semantics: "reference",
    objective: score.final.objective,
    system_objective: score.system.system_objective,
    commits: plan.length,
    delta_j: regulations.map(({ deltaJ }) => deltaJ),
    time_bin_minutes: instance.binMinutes,
    plan,
  };
  return { file, score };
}

function referenceText(
  instance: Instance,
  { regulations, hotspots, evaluations, failures }: ReferenceResult,
  { final, system }: PublishedScore,
  path: string,
): string {
  const row = ({ volume, window, mode, rates, deltaJ }: FoundRegulation, at: number) => [
    String(at + 1),
    instance.volumeIds[volume],
    namesOf(instance).volumes[volume],
    window.map((bin) => clockLabel(bin, instance)).join("-"),
    mode === "blanket"
      ? `all ${Object.values(rates)[0]}`
      : Object.entries(rates)
          .map(([flow, rate]) => `${flow} ${rate}`)
          .join(", "),
    deltaJ.toFixed(2),
  ];
  const table = tableText(
    [...right("#"), "volume", "name", "UTC", "rates/h", ...right("change of J there")],
    regulations.map(row),
  );
  const delayed = Object.values(final.delays_min);
  const minutes = delayed.reduce((sum, delay) => sum + delay, 0);
  return [
    `${instance.name}, published semantics: rates that lower the objective at ${regulations.length} of ${counted(hotspots, "hotspot")}`,
    "",
    ...(regulations.length === 0 ? [] : [table, ""]),
    `objective of the plan ${final.objective.toFixed(2)}, of all volumes ${system.system_objective.toFixed(2)}; ${counted(delayed.length, "flight")} delayed by ${counted(minutes, "minute")}`,
    `${counted(evaluations, "rate vector")} evaluated${failures.length === 0 ? "" : `, ${failures.length} lost: ${failures[0].message}`}`,
    `plan    ${fromHere(path)}`,
  ].join("\n");
}
