import { csvText, readCsv, readCsvTable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { type InputText, readJson } from "../import/input-text.ts";
import { clockLabel } from "../instance/clock.ts";
import type { Instance } from "../instance/instance.ts";
import { namesOf } from "../instance/names.ts";
import { volumeMap } from "../instance/outline.ts";
import { flowsOf, type Plan, type Regulation } from "../network/regulation.ts";

const TABLE_COLUMNS = "line volume name from_utc to_utc from_bin to_bin flows flow_names rate".split(" ");

/** A plan as a table for spreadsheets; `planTableLines` reads it back. */
export function planTable(plan: Plan, instance: Instance): string {
  return csvText(
    TABLE_COLUMNS,
    plan.map((line, k) => {
      const { volume, window, flows, rate, name, windowUtc, flowNames } = described(line, instance);
      return [k + 1, volume, name, ...windowUtc, ...window, flows.join("; "), flowNames.join("; "), rate];
    }),
  );
}

/** A plan as a map for geographic tools, each regulation where its volume is; `planMapLines` reads it back. */
export function planMap(plan: Plan, instance: Instance): object {
  const said = plan.map((line, k) => ({
    volume: line.volume,
    properties: { line: k + 1, ...described(line, instance) },
  }));
  return volumeMap(instance, said);
}

function described({ volume, fromBin, toBin, flows, ratePerHour }: Regulation, instance: Instance) {
  const names = namesOf(instance);
  const ids = flowsOf(flows).map((flow) => instance.flowNames[volume][flow]);
  return {
    volume: instance.volumeIds[volume],
    name: names.volumes[volume],
    window: [fromBin, toBin] as const,
    windowUtc: [clockLabel(fromBin, instance), clockLabel(toBin, instance)] as const,
    flows: ids,
    flowNames: ids.map((id) => names.flow(id)),
    rate: ratePerHour,
  };
}

/** The regulations of a table, as the JSON form has them: `volume,from_bin,to_bin,rate` and, if not all, `flows`, separated by `;`. */
export function planTableLines(file: InputText): object[] {
  const [header] = readCsv(file.source, file.text);
  const unknown = header?.fields.map((name) => name.trim().toLowerCase()).find((name) => !TABLE_COLUMNS.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`${file.source}: a plan has no column ${unknown}; it has ${TABLE_COLUMNS.join(",")}`);
  }
  return readCsvTable(file.source, file.text, ["volume", "from_bin", "to_bin", "rate"]).map((row) => {
    const bin = (column: string): number => row.integer(column, 0, 1440);
    const flows = row
      .text("flows")
      .split(";")
      .map((flow) => flow.trim())
      .filter((flow) => flow !== "");
    const text = row.text("rate");
    if (text === "" || Number.isNaN(Number(text))) throw row.wrong(`rate "${text}" is not a number`);
    return {
      volume: row.text("volume"),
      window: [bin("from_bin"), bin("to_bin")],
      ...(flows.length === 0 ? {} : { flows }),
      rate: Number(text),
    };
  });
}

const mapShape = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.object({
      properties: z.object({
        line: z.int().optional(),
        volume: z.unknown(),
        window: z.unknown(),
        flows: z.unknown().optional(),
        rate: z.unknown(),
      }),
    }),
  ),
});

/** The regulations of a map, in the order of their `line`, as the JSON form has them. */
export function planMapLines(file: InputText): object[] {
  const { features } = readJson(file.text, file.source, mapShape);
  const numbers = features.map(({ properties }, at) => properties.line ?? at + 1);
  if (new Set(numbers).size !== numbers.length) throw new UsageError(`${file.source}: two features have the same line`);
  return features
    .map(({ properties: { line: _, ...regulation } }, at) => ({ number: numbers[at], regulation }))
    .sort((a, b) => a.number - b.number)
    .map(({ regulation }) => regulation);
}
