import { writeFileSync } from "node:fs";
import type { DayChoice } from "@coppice/airspace";
import type { PriceChoice } from "@coppice/airspace/answers";
import { UsageError } from "@coppice/engine/usage-error";
import type { Command } from "commander";
import { wholeNumber } from "../options/arguments.ts";
import { checkPage } from "../options/output-file.ts";
import { printAnswer } from "../print.ts";
import { withDay, withPrices, withSemantics } from "./day-options.ts";

interface HotspotFlags extends DayChoice, PriceChoice {
  readonly plan?: string;
  readonly top: number;
  readonly report?: string;
  readonly semantics: "corrected" | "reference";
  readonly json?: boolean;
}

/** Gives the command `hotspots` its options. */
export function registerHotspots(command: Command): void {
  withPrices(withDay(command))
    .description("list where and when traffic is above capacity, worst first")
    .option("--plan <file>", "show what is left with this plan")
    .option("--top <n>", "rows to print", wholeNumber(1, 1_000_000), 20)
    .option("--report <file>", "also write a page with a map and charts (HTML)");
  withSemantics(command, "the network's model, or the published planner's segments")
    .option("--json", "print data instead of text")
    .action(async (flags: HotspotFlags) => {
      const airspace = await import("@coppice/airspace/answers");
      const { top, json } = flags;
      const option = flags.plan !== undefined ? "--plan" : flags.report !== undefined ? "--report" : undefined;
      if (flags.semantics === "reference" && option !== undefined) {
        throw new UsageError(
          `${option} with --semantics reference: the published segments are of traffic without measures; leave out one of the two`,
        );
      }
      checkPage("--report", flags.report, flags.instance, flags.flows, flags.weights, flags.plan);
      const instance = airspace.openDay(flags);
      if (flags.semantics === "reference") {
        printAnswer(json, airspace.segmentsJson(instance), () => airspace.segmentsText(instance, top));
        return;
      }
      const { plan, weights, notices } = airspace.chosenPlan("--plan", flags.plan, instance, flags);
      const hotspots = airspace.hotspotsWith(instance, plan, weights);
      if (flags.report !== undefined) {
        const { flowView } = await import("@coppice/airspace/view");
        const { exportView } = await import("@coppice/studio/export");
        const view = flowView(instance, plan, weights, flags);
        writeFileSync(flags.report, await exportView({ title: instance.name, tool: "flow-plan", view }));
      }
      const data = airspace.hotspotsJson(hotspots, weights);
      printAnswer(json, data, () => airspace.hotspotsText(hotspots, top), notices);
    });
}
