// What a page shows of answers of models, read from the run's folder: data, small, and nothing about how it is drawn.
export { type CouncilView, readCouncilView } from "./council/council-view.ts";
export { type ConsultView, readConsultView, type ShownAnswer } from "./view/consult-view.ts";
export type { Excerpt } from "./view/excerpts.ts";
export type { Spent } from "./view/spending.ts";
