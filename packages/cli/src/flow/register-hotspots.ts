import { writeFileSync } from "node:fs";
import type { Instance } from "@coppice/airspace";
import { UsageError } from "@coppice/engine/usage-error";
import { type Command, Option } from "commander";
import { type WeightFlags, withWeights } from "./price-options.ts";

interface HotspotFlags extends WeightFlags {
  readonly plan?: string;
  readonly top: string;
  readonly report?: string;
  readonly semantics: "corrected" | "reference";
  readonly json?: boolean;
}

/** Gives the command `hotspots` its options; `openDay` opens the day that the rest of its options name. */
export function registerHotspots(command: Command, openDay: (flags: object) => Promise<Instance>): void {
  withWeights(command)
    .description("list where and when traffic is above capacity, worst first")
    .option("--plan <file>", "show what is left with this plan")
    .option("--top <n>", "rows to print", "20")
    .option("--report <file>", "also write a page with a map and charts (HTML)")
    .addOption(
      new Option("--semantics <preset>", "the network's model, or the published planner's segments")
        .choices(["corrected", "reference"])
        .default("corrected"),
    )
    .option("--json", "print data instead of text")
    .action(async (flags: HotspotFlags) => {
      const { dayReport, readPlanFile } = await import("@coppice/airspace");
      const { inputText } = await import("../../../airspace/src/import/input-text.ts");
      const { checkOutput } = await import("./output-file.ts");
      const { hotspotsJson, hotspotsText, reportHotspots, segmentsJson, segmentsText } = await import("../../../airspace/src/answers/hotspots-answer.ts");
      const { chosenWeights } = await import("./price-options.ts");
      const top = Number(flags.top);
      if (!(Number.isInteger(top) && top > 0))
        throw new UsageError(`--top ${flags.top}: it must be a whole number from 1 up`);
      const reference = flags.semantics === "reference";
      if (reference && (flags.plan !== undefined || flags.report !== undefined)) {
        const option = flags.plan === undefined ? "--report" : "--plan";
        throw new UsageError(
          `${option} with --semantics reference: the published segments are of traffic without measures; leave out one of the two`,
        );
      }
      checkOutput("--report", flags.report);
      const instance = await openDay(flags);
      if (reference) {
        const json = () => `${JSON.stringify(segmentsJson(instance), null, 2)}\n`;
        process.stdout.write(flags.json ? json() : segmentsText(instance, top));
        return;
      }
      const file = flags.plan === undefined ? undefined : readPlanFile(inputText("--plan", flags.plan), instance);
      const plan = file?.plan ?? [];
      const weights = chosenWeights(flags, file?.weights);
      const report = reportHotspots(instance, plan, weights);
      if (flags.report !== undefined) writeFileSync(flags.report, dayReport({ instance, plan, weights }));
      process.stdout.write(
        flags.json ? `${JSON.stringify(hotspotsJson(report, weights), null, 2)}\n` : hotspotsText(report, top),
      );
    });
}
