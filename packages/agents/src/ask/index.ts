export type { AskAnswer, AskResult } from "./ask-result.ts";
export { AskSearch } from "./ask-search.ts";
export { askText, summaryText } from "./ask-text.ts";
export { type ConfidenceLevel, confidenceLevels } from "./confidence-level.ts";
export { type Question, type Respondent, type Stance, stances } from "./question.ts";
export type { AskSummary } from "./summary.ts";
