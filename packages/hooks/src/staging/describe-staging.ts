import type { Edge, EdgeReason } from "./edges.ts";
import type { Staging } from "./stage-hooks.ts";

/** The staging for people: stages, then every edge with its reason. */
export function describeStaging(staging: Staging, event: string): string {
  const lines: string[] = [];
  const count = staging.stages.length;
  lines.push(`${event}: ${plural(staging.hooks.length, "hook")} in ${plural(count, "stage")}`);
  if (staging.serialBecause !== undefined) lines.push(`one by one, in list order, because ${staging.serialBecause}`);
  for (const [index, stage] of staging.stages.entries()) {
    const names = stage.map(
      (hook) => staging.hooks[hook].name + (staging.hooks[hook].background ? " (background)" : ""),
    );
    lines.push("", `stage ${index + 1}`, ...wrap(names));
  }
  if (staging.edges.length > 0) lines.push("", "why");
  for (const edge of staging.edges) {
    for (const line of describeEdge(staging, edge)) lines.push(`  ${line}`);
  }
  return `${lines.join("\n")}\n`;
}

/** One line per reason: who waits for whom, and for what. */
function describeEdge(staging: Staging, edge: Edge): readonly string[] {
  const waiting = staging.hooks[edge.to].name;
  const earlier = staging.hooks[edge.from].name;
  return edge.reasons.map((reason) => `${waiting} waits for ${earlier}: ${describeReason(reason, waiting, earlier)}`);
}

function describeReason(reason: EdgeReason, waiting: string, earlier: string): string {
  switch (reason.kind) {
    case "after":
      return `${waiting} declares "after": ["${earlier}"]`;
    case "alone":
      return `${reason.undeclared} declares neither reads nor writes, so it runs alone`;
    case "write-write":
      return `both write ${same(reason)}`;
    case "write-read":
      return `${earlier} writes what ${waiting} reads, ${same(reason)}`;
    case "read-write":
      return `${earlier} reads what ${waiting} writes, ${same(reason)}`;
    default:
      return reason satisfies never;
  }
}

function same({ resource, earlier }: { resource: string; earlier: string }): string {
  return resource === earlier ? resource : `${resource} (${earlier})`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function wrap(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const name of names) {
    if (line !== "" && line.length + name.length > 96) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? `  ${name}` : `, ${name}`;
  }
  return line === "" ? lines : [...lines, line];
}
