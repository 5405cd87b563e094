export type { PersonaLibrary } from "./library.ts";
export { personasDocument, personasText } from "./personas-text.ts";
