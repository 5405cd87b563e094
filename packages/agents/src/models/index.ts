export * from "./contract.ts";
export { consultationKey, requestHash } from "./request-key.ts";
