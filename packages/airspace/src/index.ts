export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft, type VolumeDraft } from "./instance/assemble.ts";
export { binsPerHour, type Instance, wholeCapacity } from "./instance/instance.ts";
export { InvalidInput } from "./invalid-input.ts";
