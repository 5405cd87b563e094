import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildStart } from "../../scripts/pack/build.ts";
import { alternate, median, medianRatio } from "./measure.ts";
import { type BenchOptions, type BenchReport, benchReport, goal } from "./report.ts";

const VERSION_AT_MOST = 2.5;
const HELP_AT_MOST = 4;

/** How long the published command takes to say its version and each help, beside a Node program that does nothing. */
export async function startBench({
  quick = false,
  rounds = quick ? 1 : 11,
  progress = () => {},
}: BenchOptions = {}): Promise<BenchReport> {
  const stage = mkdtempSync(join(tmpdir(), "coppice-start-"));
  try {
    const program = await buildStart(stage);
    progress("built as it is published");
    const empty = join(stage, "empty.mjs");
    writeFileSync(empty, "");
    const commands = quick ? [["flow", "plan"]] : documentedCommands();
    const words = [[], ...commands].map((command) => [...command, "--help"]);
    const lines = Object.fromEntries(
      [["--version"], ...words].map((args) => [`coppice ${args.join(" ")}`, [program, ...args]]),
    );
    const sides = Object.entries({ empty: [empty], ...lines }).map(([name, args]) => [name, () => time(args)]);
    const { empty: nothing, ...measured } = await alternate<string>(rounds, Object.fromEntries(sides));
    const ratios = Object.entries(measured).map(([name, ms]) => ({ name, ratio: medianRatio(ms, nothing) }));
    const helps = ratios.filter(({ name }) => name.endsWith("--help"));
    const slowest = helps.reduce((most, each) => (each.ratio > most.ratio ? each : most));
    const version = ratios.find(({ name }) => name === "coppice --version");
    return benchReport(
      "start",
      rounds,
      {
        "node empty.mjs": { value: round(median(nothing)), unit: "ms" },
        ...Object.fromEntries(ratios.map(({ name, ratio }) => [name, { value: round(ratio), unit: "×" }])),
      },
      [
        goal("coppice --version, against node empty.mjs", version?.ratio ?? Number.NaN, "×", "<=", VERSION_AT_MOST),
        goal(`the slowest help (${slowest.name}), against node empty.mjs`, slowest.ratio, "×", "<=", HELP_AT_MOST),
      ],
    );
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Every command and command of a command, as the page of all commands has them. */
function documentedCommands(): string[][] {
  const page = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");
  return [...page.matchAll(/^###? coppice (.+)$/gm)].map(([, command]) => command.split(" "));
}

function time(args: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stderr}`);
  return ms;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
