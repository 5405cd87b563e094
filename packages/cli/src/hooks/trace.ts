import { readFileSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";
import {
  addObservations,
  placesOf,
  proposeDeclarations,
  readEventInput,
  sampleInput,
  snapshotBlindness,
  stageEvent,
  stateDirectory,
  straceWorks,
  surroundingsOf,
  traceEvent,
  writeDeclarations,
} from "@coppice/hooks";
import { projectDirectory, refuseIfNone } from "./project.ts";

/** Options of `coppice hooks trace`. */
export interface TraceOptions {
  readonly project?: string;
  readonly input?: string;
  readonly for?: string;
  readonly strace: boolean;
  readonly write?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks trace`: runs an event's hooks one by one, watches them and proposes what to declare. */
export async function trace(event: string, options: TraceOptions): Promise<number> {
  const projectDir = projectDirectory(options.project);
  const input = readInput(event, projectDir, options);
  const places = placesOf(projectDir, process.env);
  const { staging, problems } = await stageEvent(event, input.fields, places);
  refuseIfNone(staging.hooks, problems);
  if (staging.hooks.length === 0) throw new UsageError(`nothing is configured for ${event} with this input`);
  const method = options.strace && straceWorks() ? "strace" : "snapshot";
  const surroundings = surroundingsOf({ input, env: process.env, cwd: projectDir, project: projectDir });
  const ender = new AbortController();
  process.once("SIGINT", () => ender.abort("interrupted"));
  const seen = await traceEvent(staging, input, surroundings, method, ender.signal);
  const observed = addObservations(
    stateDirectory(projectDir),
    event,
    seen.map(({ observation }) => observation),
  );
  const known = staging.hooks
    .map((hook) => observed[event]?.[hook.name])
    .filter((observation) => observation !== undefined);
  const declare = proposeDeclarations(known);
  const written = options.write ? writeDeclarations(places, declare) : undefined;

  if (options.json) {
    const hooks = seen.map(({ observation, ending }) => ({ ...observation, ending }));
    process.stdout.write(`${JSON.stringify({ event, method, hooks, declare, written: written ?? null }, null, 2)}\n`);
    return ender.signal.aborted ? 130 : 0;
  }
  const lines = [
    `${event}: ${seen.length} hooks, watched with ${method === "strace" ? "strace" : "snapshots of files"}`,
    "",
  ];
  for (const { observation, ending } of seen) {
    const how =
      ending.kind === "exited" && ending.code === 0
        ? ""
        : `  (${ending.kind}${"code" in ending ? ` ${ending.code}` : ""})`;
    lines.push(`${observation.hook}${how}`);
    if (method === "strace") lines.push(`  reads   ${observation.reads.join(", ") || "nothing"}`);
    lines.push(`  writes  ${observation.writes.join(", ") || "nothing"}`);
  }
  lines.push("", "proposed declarations, from all runs watched so far:", JSON.stringify({ declare }, null, 2), "");
  lines.push("This is what these inputs made the hooks do; another input may make them do more.");
  if (method === "snapshot") lines.push(`Without strace: ${snapshotBlindness}`);
  lines.push(
    written === undefined ? "To put this into the project's coppice-hooks.json, add --write." : `written to ${written}`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  return ender.signal.aborted ? 130 : 0;
}

function readInput(event: string, projectDir: string, options: TraceOptions): ReturnType<typeof readEventInput> {
  if (options.input === undefined)
    return readEventInput(Buffer.from(JSON.stringify(sampleInput(event, projectDir, options.for))));
  try {
    return readEventInput(readFileSync(options.input === "-" ? 0 : options.input));
  } catch (error) {
    throw new UsageError(`--input ${options.input}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
