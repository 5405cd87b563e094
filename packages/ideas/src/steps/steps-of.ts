import type { StepConfig, TreeConfig } from "../settings.ts";

/** Every step of a configuration by the name of its field. */
export function stepsOf({ ideas, steps, score }: TreeConfig): readonly (readonly [string, StepConfig])[] {
  const all: readonly (readonly [string, StepConfig | null])[] = [
    ["ideas.command", ideas.kind === "command" ? ideas.step : null],
    ...Object.entries(steps).map(([name, step]) => [`steps.${name}`, step] as const),
    ["score.command", score.kind === "command" ? score.step : null],
  ];
  return all.flatMap(([field, step]) => (step === null ? [] : [[field, step] as const]));
}
