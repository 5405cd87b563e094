import { counted, formatDuration } from "@coppice/engine/figures";
import { costText, noiseText } from "../report/in-order.ts";
import type { CheckedStep, TreeCheck } from "./check-tree.ts";

/** What a check found out, for people. */
export function checkText(check: TreeCheck): string {
  const { steps, problem, full, agent } = check;
  const lines = [
    `the code as it is: ${stepsText(steps.filter(({ of }) => of === "root"))}${noticed(check)}`,
    `${agent ? "one idea" : "a pretended idea"}: ${stepsText(steps.filter(({ of }) => of === "idea"))}`,
  ];
  if (problem !== null) return [...lines, "a tree cannot be grown like this:", ...problem].join("\n");
  if (full === null) return lines.join("\n");
  const { evaluations, depths, repeats, mostRepeats, seconds, mostSeconds } = full;
  const most = mostSeconds > seconds ? `, ${formatDuration(mostSeconds * 1000)} if nothing is clear before` : "";
  const often = repeats === 1 ? "" : `, everything measured ${repeats} to ${mostRepeats} times`;
  lines.push(
    `a whole run: at most ${counted(evaluations, "evaluation")} in ${counted(depths, "depth")}${often}`,
    `  time: about ${formatDuration(seconds * 1000)}${most}${agent ? "" : ", besides what the agent takes"}`,
    `  cost: ${moneyText(check)}`,
    ...check.remarks.map((remark) => `  ${remark}`),
  );
  return lines.join("\n");
}

function moneyText({ agent, full }: TreeCheck): string {
  if (!agent) return "not known, as the agent was not asked: --agent lets it try one idea";
  const spent = full === null ? "" : costText(full.cost);
  return spent === "" ? "the agent stated no price" : `${spent}, going by what the agent stated`;
}

function stepsText(steps: readonly CheckedStep[]): string {
  const texts = steps.map(({ step, seconds, cost }) => {
    const spent = costText(cost);
    return `${step} ${seconds.toFixed(1)} s${spent === "" ? "" : ` (${spent})`}`;
  });
  return texts.length === 0 ? "nothing was run" : texts.join(", ");
}

function noticed({ looked, noise }: TreeCheck): string {
  if (noise !== null) return `; ${noiseText(noise)}`;
  return looked ? "; measured twice, it came out the same" : "";
}
