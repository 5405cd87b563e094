export type { PersonaLibrary } from "./library.ts";
export { askPresets, councilPresets, type Presets } from "./presets.ts";
