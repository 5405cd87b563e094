import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { counted } from "@coppice/engine/figures";
import { unreadable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import {
  checkProject,
  placesFor,
  projectReport,
  reportText,
  settingsFiles,
  stageProject,
  stagingData,
  stagingText,
  traceProject,
  traceText,
  weeklyLine,
} from "@coppice/hooks";
import type { HooksChoice } from "@coppice/hooks/view";
import { checkPage } from "../options/output-file.ts";
import { print, printJson, printJsonLine, tell } from "../print.ts";
import { endingSignals } from "../session/standard-streams.ts";

/** Options of the commands that tell about hooks. */
export interface InspectOptions {
  readonly project?: string;
  readonly json?: boolean;
  /** What the event is about: a tool, a source, a prompt. */
  readonly for?: string;
  readonly input?: string;
  readonly strace: boolean;
  readonly write?: boolean;
  readonly days: string;
  readonly html?: string;
  readonly run?: string;
  readonly weekly?: boolean;
}

/** `coppice hooks plan`: stages and reasons; runs nothing. */
export async function plan(event: string | undefined, options: InspectOptions): Promise<number> {
  const staged = await stageProject(placesFor(options.project, process.env), event, options.for);
  if (options.json) printJson(stagingData(staged));
  else {
    print(stagingText(staged));
    for (const problem of staged.problems) tell(problem);
  }
  return 0;
}

/** `coppice hooks trace`: runs an event's hooks one by one, watches them and proposes what to declare. */
export async function trace(event: string, options: InspectOptions): Promise<number> {
  const ender = new AbortController();
  for (const signal of endingSignals) process.once(signal, () => ender.abort("interrupted"));
  const traced = await traceProject({
    event,
    places: placesFor(options.project, process.env),
    env: process.env,
    input: options.input === undefined ? undefined : readInput(options.input),
    subject: options.for,
    strace: options.strace,
    write: options.write === true,
    signal: ender.signal,
  });
  if (options.json) {
    const hooks = traced.seen.map(({ observation, ending }) => ({ ...observation, ending }));
    const { method, declare, written = null } = traced;
    printJson({ event, method, hooks, declare, written });
  } else print(traceText(traced));
  return ender.signal.aborted ? 130 : 0;
}

/** `coppice hooks check`: everything that would make results depend on luck; 1 when there is an error among it. */
export async function check(options: InspectOptions): Promise<number> {
  const checked = await checkProject(placesFor(options.project, process.env), process.env);
  if (options.json) printJson(checked);
  else {
    const { events, findings } = checked;
    const errors = findings.filter(({ severity }) => severity === "error").length;
    const counts = [counted(events.length, "event"), counted(errors, "error")];
    const lines = findings.map(({ severity, text }) => `${severity}: ${text}\n`);
    print(`${lines.join("")}${[...counts, counted(findings.length - errors, "remark")].join(", ")}\n`);
  }
  return checked.ok ? 0 : 1;
}

const DAY_MS = 86_400_000;
const MOST_DAYS = 3650;

/** `coppice hooks report`: what the hooks took, as a table, as JSON or as a page with a timeline. */
export async function report(options: InspectOptions): Promise<number> {
  if (options.weekly === true) {
    if (options.html !== undefined || options.json === true)
      throw new UsageError("--weekly prints one line for an agent: leave out --html and --json");
    const systemMessage = await weeklyLine(placesFor(options.project, process.env), Date.now());
    // For an agent, which reads JSON.
    if (systemMessage !== undefined) printJsonLine({ systemMessage });
    return 0;
  }
  const places = placesFor(options.project, process.env);
  checkPage("--html", options.html, ...settingsFiles(places).map(({ file }) => file));
  const days = Number(options.days);
  if (!(days > 0 && days <= MOST_DAYS))
    throw new UsageError(`--days must be a number above 0 and at most ${MOST_DAYS}, not ${options.days}`);
  if (options.run !== undefined && options.html === undefined)
    throw new UsageError("--run chooses an event of the page: add --html <file>");
  const periodMs = days * DAY_MS;
  if (options.html !== undefined) {
    await writeReportPage(options.html, places.projectDir, { periodMs, run: options.run });
    return 0;
  }
  const { report: made } = await projectReport(places, periodMs, Date.now());
  if (options.json) printJson(made);
  else print(reportText(made));
  return 0;
}

/** The studio's page of hooks as a file. */
async function writeReportPage(html: string, projectDir: string, choice: HooksChoice): Promise<void> {
  const file = resolve(html);
  const { readHooksView } = await import("@coppice/hooks/view");
  const view = await readHooksView(projectDir, process.env, Date.now(), choice);
  if (choice.run !== undefined && view.courses.length === 0)
    throw new UsageError(`--run ${choice.run}: no such event was recorded`);
  const { exportView } = await import("@coppice/studio/export");
  writeFileSync(file, await exportView({ title: "Hooks", tool: "hooks", view }));
  print(`${file}\n`);
}

function readInput(file: string): Uint8Array {
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new UsageError(`--input ${file}: ${unreadable(error)}`);
  }
}
