import type { Accuracy } from "../accuracy/accuracy.ts";

/** Below these a horizon's projections hardly help to choose between players. */
const LEAST = { pairwise_accuracy: 0.65, top_10_accuracy: 0.7 } as const;
const NAMES = { pairwise_accuracy: "pairwise accuracy", top_10_accuracy: "top-10 accuracy" } as const;

/** What is low about a horizon's accuracy, in words; undefined when nothing is. */
export function lowAccuracy({ overall }: Accuracy): string | undefined {
  const low = (Object.keys(LEAST) as (keyof typeof LEAST)[]).flatMap((metric) => {
    const value = overall?.[metric] ?? null;
    return value !== null && value < LEAST[metric] ? [`${NAMES[metric]} ${value.toFixed(4)} < ${LEAST[metric]}`] : [];
  });
  return low.length === 0 ? undefined : low.join(", ");
}
