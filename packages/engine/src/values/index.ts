// Values as text, the same after reading. Nothing else of the engine is loaded.
export { Aside } from "./aside.ts";
export { decode, encode, ValueRefused } from "./encode.ts";
export { isObject, isRecord, parsedJson, plainJson } from "./plain-json.ts";
