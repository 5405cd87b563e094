import type { Command } from "commander";
import { withExamples } from "../options/run-options.ts";
import { registerFlows, registerImport, registerVolumes } from "./register-day.ts";
import { registerHotspots } from "./register-hotspots.ts";
import { registerPlan } from "./register-plan.ts";
import { registerCompare, registerExplain, registerScore, registerValidate } from "./register-plan-files.ts";
import { registerRates } from "./register-rates.ts";
import { registerDelays, registerExport } from "./register-results.ts";

/** Adds `coppice flow`: a day of air traffic, its hotspots and the rates that relieve them. */
export function registerFlow(program: Command): void {
  const flow = program.command("flow").description("plan a day of air traffic: hotspots, rates, scores");
  registerImport(flow.command("import"));
  registerVolumes(flow.command("volumes"));
  registerFlows(flow.command("flows"));
  registerHotspots(flow.command("hotspots"));
  registerScore(flow.command("score"));
  registerPlan(flow.command("plan"));
  registerValidate(flow.command("validate"));
  registerCompare(flow.command("compare"));
  registerExplain(flow.command("explain"));
  registerDelays(flow.command("delays"));
  registerExport(flow.command("export"));
  registerRates(flow.command("rates"));
  withExamples(flow, {
    import: "coppice flow import --flights flights.csv --airports airports.csv -o own.airspace",
    volumes: "coppice flow volumes --top 5",
    flows: "coppice flow flows --volume ARR:ORD",
    hotspots: "coppice flow hotspots --scenario clear",
    score: "coppice flow score --plan plan.json",
    validate: "coppice flow validate plan.json",
    compare: "coppice flow compare monday.json tuesday.json",
    explain: "coppice flow explain plan.json",
    delays: "coppice flow delays --plan plan.json",
    export: "coppice flow export --plan plan.json --out results",
    rates: "coppice flow rates --volume ARR:ORD --window 23:00-04:00 --save-plan plan.json",
  });
}
