import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import {
  configuredEvents,
  placesOf,
  readRecords,
  reportHtml,
  reportText,
  stageEvent,
  stateDirectory,
  timelineOf,
  timingReport,
} from "@coppice/hooks";
import { projectDirectory } from "./project.ts";

/** Options of `coppice hooks report`. */
export interface ReportOptions {
  readonly project?: string;
  readonly days: string;
  readonly html?: string;
  readonly run?: string;
  readonly json?: boolean;
}

const DAY_MS = 86_400_000;

/** `coppice hooks report`: what the hooks took, as a table, as JSON or as a page with a timeline. */
export async function report(options: ReportOptions): Promise<number> {
  const days = Number(options.days);
  if (!(days > 0)) throw new UsageError(`--days must be a number above 0, not ${options.days}`);
  const projectDir = projectDirectory(options.project);
  const places = placesOf(projectDir, process.env);
  const to = Date.now();
  const read = readRecords(stateDirectory(projectDir), to - days * DAY_MS);
  const plans = new Map<string, Awaited<ReturnType<typeof stageEvent>>["staging"]>();
  for (const event of configuredEvents(places, [])) plans.set(event, (await stageEvent(event, {}, places)).staging);
  const made = timingReport(read, plans, to - days * DAY_MS, to);
  if (options.html !== undefined) {
    const file = resolve(options.html);
    const timeline = timelineOf(read.records, options.run);
    if (options.run !== undefined && timeline.length === 0)
      throw new UsageError(`--run ${options.run}: no such event was recorded`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, reportHtml(made, timeline));
    process.stdout.write(`${file}\n`);
    return 0;
  }
  process.stdout.write(options.json ? `${JSON.stringify(made, null, 2)}\n` : reportText(made));
  return 0;
}
