export { type ConsultChoices, type ConsultSetup, consultSetup } from "./consult-setup.ts";
export { firstRequests, requestsText } from "./dry-run.ts";
export { textInput, withAttachments } from "./text-input.ts";
