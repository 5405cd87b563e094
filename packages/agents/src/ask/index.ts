export { type AskChoices, type AskRecord, composeAsk, type EarlierAsk, prepareAsk } from "./prepare-ask.ts";
export type { AskResult } from "./question.ts";
export { streamed } from "./streamed-ask.ts";
