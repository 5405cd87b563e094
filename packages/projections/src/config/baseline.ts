import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { HORIZONS, type Horizon } from "../horizon.ts";
import { readJson, writeJson } from "../json-file.ts";
import { HORIZON_KEYS, type HorizonParameters, readConfiguration } from "./configuration.ts";

const LEAGUE_FILE = "league_config.json";
const Document = z.looseObject({
  config_name: z.string().optional(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
});
type Document = z.infer<typeof Document>;

/** A folder of configurations: what all horizons share and, per horizon, what it owns. */
export interface Baseline {
  readonly league: Readonly<Record<string, unknown>>;
  /** By horizon name: the league's parameters with the horizon's own over them, reduced to what a horizon owns. */
  readonly horizons: Readonly<Record<string, HorizonParameters>>;
  readonly notices: readonly string[];
}

/** Reads and checks a baseline folder. Without `draft_config.json`, `ros` starts from the first weekly file. */
export function readBaseline(folder: string, horizons: readonly Horizon[] = HORIZONS): Baseline {
  const kind = statSync(folder, { throwIfNoEntry: false });
  if (kind === undefined) throw new UsageError(`baseline folder ${folder} does not exist`);
  if (!kind.isDirectory()) {
    throw new UsageError(`baseline ${folder} is a file; name the folder with ${LEAGUE_FILE} and one file per horizon`);
  }
  const firstWeekly = HORIZONS.find((h) => h.weeks !== undefined && exists(join(folder, h.file)));
  const fileOf = (h: Horizon) =>
    h.weeks === undefined && !exists(join(folder, h.file)) ? (firstWeekly ?? h).file : h.file;
  const missing = [LEAGUE_FILE, ...horizons.map(fileOf)].filter((file) => !exists(join(folder, file)));
  if (missing.length > 0) throw new UsageError(`baseline folder ${folder} lacks ${[...new Set(missing)].join(", ")}`);
  const league = readDocument(join(folder, LEAGUE_FILE));
  const notices: string[] = [];
  const entries = horizons.map((horizon) => {
    const path = join(folder, fileOf(horizon));
    if (fileOf(horizon) !== horizon.file)
      notices.push(`no ${horizon.file}: ${horizon.name} starts from ${fileOf(horizon)}`);
    const parameters = horizonParameters({ ...league.parameters, ...readDocument(path).parameters });
    readConfiguration(parameters, path);
    return [horizon.name, parameters] as const;
  });
  return { league, horizons: Object.fromEntries(entries), notices };
}

/** Reads one configuration file (`{parameters: {…}}`, or the parameters themselves) for all horizons. */
export function readConfigurationFile(path: string): HorizonParameters {
  const json = readJson(path);
  const wrapped = Document.safeParse(json);
  const parameters = wrapped.success ? wrapped.data.parameters : json;
  readConfiguration(parameters, path);
  return horizonParameters(parameters as HorizonParameters);
}

/** What is written of a horizon: its parameters and how well they did. */
export interface HorizonFile {
  readonly horizon: Horizon;
  readonly name: string;
  readonly description: string;
  readonly parameters: HorizonParameters;
  readonly metrics: unknown;
}

/** Writes a folder that {@link readBaseline} can read. */
export function writeBaseline(folder: string, league: unknown, files: readonly HorizonFile[]): void {
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, LEAGUE_FILE), league);
  for (const file of files) {
    writeJson(join(folder, file.horizon.file), {
      config_name: file.name,
      description: file.description,
      parameters: horizonParameters(file.parameters),
      performance_metrics: file.metrics,
    });
  }
}

function horizonParameters(all: HorizonParameters): HorizonParameters {
  return Object.fromEntries(HORIZON_KEYS.filter((key) => all[key] !== undefined).map((key) => [key, all[key]]));
}

function readDocument(path: string): Document {
  const parsed = Document.safeParse(readJson(path));
  if (!parsed.success) throw new UsageError(`${path} needs an object "parameters"`);
  return parsed.data;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
