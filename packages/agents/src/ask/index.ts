export { AskSearch } from "./ask-search.ts";
export { type ConfidenceLevel, confidenceLevels } from "./confidence-level.ts";
export { type AskChoices, type AskRecord, composeAsk, prepareAsk } from "./prepare-ask.ts";
export { type AskAnswer, type AskResult, type Question, type Respondent, type Stance, stances } from "./question.ts";
