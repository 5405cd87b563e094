export type { Tuning } from "./consultation.ts";
export { closeGateway, Gateway } from "./gateway.ts";
export { type Models, type Price, parseModels } from "./models-file.ts";

/** The module that answers consultations; runs in the engine's `concurrent` pool. */
export const consultEvaluator = new URL("./evaluator.ts", import.meta.url);
