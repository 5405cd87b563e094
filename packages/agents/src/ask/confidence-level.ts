import { parseReply } from "../replies/parse-reply.ts";

/** How sure an answer is, from not at all to entirely. */
export const confidenceLevels = ["exploring", "low", "medium", "high", "certain"] as const;
export type ConfidenceLevel = (typeof confidenceLevels)[number];

/** Least percentage of each level. */
const leastPercent: Readonly<Record<ConfidenceLevel, number>> = {
  exploring: 0,
  low: 20,
  medium: 40,
  high: 70,
  certain: 90,
};

const LEVEL = /confidence(?:\s+level)?["*\s]*[:=]["*\s]*(exploring|low|medium|high|certain)\b/i;
const PERCENT = /confidence(?:\s+level)?["*\s]*[:=]["*\s]*(\d+(?:\.\d+)?)/i;

/** Words that give a level away, the surest first. */
const words: readonly (readonly [ConfidenceLevel, RegExp])[] = [
  ["certain", /\b(certain(?:ly)?|undoubtedly|without (?:a )?doubt|definitely)\b/i],
  ["exploring", /\b(not sure|no idea|speculat\w*|exploring|unclear)\b/i],
  ["low", /\b(perhaps|maybe|might|possibly|uncertain)\b/i],
  ["high", /\b(confident|clearly|strongly|very likely)\b/i],
];

/** How sure an answer says it is: by its own statement, by its choice of words, or medium. */
export function confidenceLevel(text: string): ConfidenceLevel {
  const level = LEVEL.exec(text)?.[1]?.toLowerCase();
  const named = confidenceLevels.find((each) => each === level);
  if (named !== undefined) return named;
  const { form, confidence } = parseReply(text);
  if (form !== "prose") return levelOf(confidence);
  const percent = PERCENT.exec(text)?.[1];
  if (percent !== undefined) return levelOf(Number(percent));
  return words.find(([, pattern]) => pattern.test(text))?.[0] ?? "medium";
}

export function reaches(level: ConfidenceLevel, target: ConfidenceLevel): boolean {
  return leastPercent[level] >= leastPercent[target];
}

function levelOf(percent: number): ConfidenceLevel {
  return confidenceLevels.findLast((level) => percent >= leastPercent[level]) ?? "exploring";
}
