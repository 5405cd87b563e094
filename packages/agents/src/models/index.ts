export { type ChosenModel, chooseModel, findModel, hasKey } from "./choose-model.ts";
export * from "./consultation.ts";
export { type AskOptions, type ConsultContext, closeGateway, Gateway, gatewayFor } from "./gateway.ts";
export {
  demoModels,
  type Models,
  type ModelsFile,
  type Price,
  type Provider,
  parseModels,
  readModels,
} from "./models-file.ts";
export type { Spending } from "./spending.ts";

/** The module that answers consultations; runs in the engine's `concurrent` pool. */
export const consultEvaluator = new URL("./evaluator.ts", import.meta.url);
