export { readCapacityGeoJson } from "./import/hourly-capacity.ts";
export { type InputText, importGolden, importPublished, type PublishedFiles } from "./import/published.ts";
export { decodeInstance, encodeInstance } from "./instance/artifact.ts";
export { assembleInstance, type FlightDraft, type VolumeDraft } from "./instance/assemble.ts";
export { binsPerHour, type Instance, wholeCapacity } from "./instance/instance.ts";
export { InvalidInput } from "./invalid-input.ts";
