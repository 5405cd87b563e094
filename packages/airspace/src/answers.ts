// A user's questions about a day answered in full, as data and as text: what the commands of `coppice flow` print.

export { comparePlans, comparisonText } from "./answers/compare-plans.ts";
export { flowsJson, flowsText, volumesJson, volumesText } from "./answers/day-lists.ts";
export { delaysJson, delaysText } from "./answers/delays-answer.ts";
export { exportDay, exportedFiles } from "./answers/export-day.ts";
export { findRateCases, findRates, ratesJson, type Semantics } from "./answers/find-rates.ts";
export { ratesPlan } from "./answers/found-plan.ts";
export { hotspotsJson, hotspotsText, hotspotsWith, segmentsJson, segmentsText } from "./answers/hotspots-answer.ts";
export {
  chosenPlan,
  explainFile,
  explanationText,
  validatePlan,
  validationText,
} from "./answers/plan-answers.ts";
export { ratesText } from "./answers/rates-text.ts";
export { scoreJson, scoreText } from "./answers/score-answer.ts";
export { type DayChoice, openDay } from "./import/open-day.ts";
export type { PriceChoice } from "./network/chosen-weights.ts";
export { scorePublishedFile } from "./published/plans/score-file.ts";
