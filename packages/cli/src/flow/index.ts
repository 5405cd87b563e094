import { type Command, Option } from "commander";
import { withExamples } from "../options/example.ts";
import type { DayFlags } from "../../../airspace/src/import/open-day.ts";
import { registerHotspots } from "./register-hotspots.ts";
import { registerImport } from "./register-import.ts";
import { registerPlan } from "./register-plan.ts";
import { registerCompare, registerExplain, registerValidate } from "./register-plan-files.ts";
import { registerRates } from "./register-rates.ts";
import { registerScore } from "./register-score.ts";

/** Adds `coppice flow`: a day of air traffic, its hotspots and the rates that relieve them. */
export function registerFlow(program: Command): void {
  const flow = program.command("flow").description("plan a day of air traffic: hotspots, rates, scores");
  registerImport(flow.command("import"));
  registerHotspots(onDay(flow.command("hotspots")), openDay);
  registerScore(onDay(flow.command("score")), openDay);
  registerPlan(onDay(flow.command("plan")));
  registerValidate(onDay(flow.command("validate")), openDay);
  registerCompare(onDay(flow.command("compare")), openDay);
  registerExplain(onDay(flow.command("explain")), openDay);
  registerRates(onDay(flow.command("rates")), openDay);
  withExamples(flow, {
    import: "coppice flow import --flights flights.csv --airports airports.csv -o own.airspace",
    hotspots: "coppice flow hotspots --scenario clear",
    score: "coppice flow score --plan plan.json",
    validate: "coppice flow validate plan.json",
    compare: "coppice flow compare monday.json tuesday.json",
    explain: "coppice flow explain plan.json",
    rates: "coppice flow rates --volume ARR:ORD --window 23:00-04:00 --save-plan plan.json",
  });
}

/** Gives a command the options that say which day it is about. */
function onDay(command: Command): Command {
  return command
    .option(
      "--instance <file>",
      "instance file, or reference numbers (.json); by default the day that ships with coppice",
    )
    .addOption(
      new Option("--scenario <name>", "weather of the day that ships with coppice").choices(["storm", "clear"]),
    );
}

async function openDay(flags: DayFlags) {
  return (await import("../../../airspace/src/import/open-day.ts")).openDay(flags);
}
