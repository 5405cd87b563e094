export { findPersonas, type PersonaLibrary, readPersonas } from "./library.ts";
export type { Persona } from "./persona.ts";
export { advisers, askPresets, councilPresets, type Presets, presetPersonas, readPersonaList } from "./presets.ts";
