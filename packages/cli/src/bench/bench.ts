import type { Bench } from "@coppice/bench/benches";
import { tableText } from "@coppice/engine/display";
import { onlyGiven } from "@coppice/engine/only-given";
import { UsageError } from "@coppice/engine/usage-error";
import { exitCode } from "../exit-code.ts";
import { print, printJson, tell } from "../print.ts";

export interface BenchFlags {
  readonly rounds?: number;
  readonly quick?: boolean;
  readonly csv?: string;
  readonly part?: readonly string[];
  readonly seed?: number;
  readonly faults?: number;
  readonly attacks?: readonly string[];
  readonly pool?: "cluster";
  readonly json?: boolean;
}

/** `coppice bench <name>`: a table for people, or exactly the report as JSON. */
export async function runBench(name: string | undefined, flags: BenchFlags): Promise<void> {
  const { rounds, quick, csv, part: parts, json, seed, faults, pool } = flags;
  const attacks = pool === undefined ? flags.attacks : [`${pool}-faults`];
  const { benches, reportText } = await loadBenches();
  if (name === undefined) {
    listBenches(benches, json ?? false);
    return;
  }
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (bench === undefined) {
    throw new UsageError(`there is no benchmark ${name}: there are ${Object.keys(benches).join(", ")}`);
  }
  const { parts: known = [] } = bench;
  const wrong = parts?.find((part) => !known.includes(part));
  if (wrong !== undefined) {
    const there = known.length === 0 ? "it has no parts" : `there are ${known.join(", ")}`;
    throw new UsageError(`--part ${wrong}: there is no such part of ${name}: ${there}`);
  }
  const report = await bench.run({
    ...(rounds === undefined ? {} : { rounds }),
    quick: quick ?? false,
    ...onlyGiven({ csvFile: csv, parts, seed, faults, attacks }),
    progress: (line) => tell(line),
  });
  if (json === true) printJson(report);
  else print(`${reportText(report)}\n`);
  if (!report.ok) process.exitCode = exitCode.failed;
}

/** Benchmarks compare with other libraries and are not part of the installed command. */
async function loadBenches(): Promise<typeof import("@coppice/bench/benches")> {
  try {
    import.meta.resolve("@coppice/bench/benches");
  } catch {
    throw new UsageError("benchmarks are part of the repository, not of the installed command: run them from a clone");
  }
  return import("@coppice/bench/benches");
}

function listBenches(benches: Readonly<Record<string, Bench>>, json: boolean): void {
  const rows = Object.entries(benches).map(([name, { summary }]) => ({ name, summary }));
  if (json) printJson(rows);
  else {
    const cells = rows.map(({ name, summary }) => [name, summary]);
    print(`${tableText(["benchmark", "measures"], cells)}\n`);
  }
}
