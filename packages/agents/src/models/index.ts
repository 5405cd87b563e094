export { type CallTotals, callsText } from "./call-totals.ts";
export { type ChosenModel, chooseModel, findModel, hasKey, usablePool } from "./choose-model.ts";
export * from "./contract.ts";
export { type AskOptions, Gateway, type GatewayOptions } from "./gateway.ts";
export { type ConsultContext, closeGateway, gatewayFor } from "./gateways.ts";
export type { ModelsFile, Price, Provider } from "./models-file.ts";
export { demoModels, type Models, parseModels, readModels } from "./read-models-file.ts";
export { consultationKey, requestHash } from "./request-key.ts";
export type { Spending } from "./spending.ts";
export { type ChatBody, chatBody } from "./transport/chat-body.ts";

/** The module that answers consultations; runs in the engine's `concurrent` pool. */
export const consultEvaluator = new URL("./evaluator.ts", import.meta.url);
