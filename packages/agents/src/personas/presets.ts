import { UsageError } from "@coppice/engine/usage-error";
import type { PersonaLibrary } from "./library.ts";

/** Names of personas, by the name of the group that they are. */
export type Presets = Readonly<Record<string, readonly string[]>>;

/** Groups of personas that have a name, in `coppice ask` and in `coppice council`. */
export const askPresets: Presets = {
  quick: ["judge", "critic", "skeptic"],
  comprehensive: ["judge", "critic", "skeptic", "innovator", "oracle"],
  security: ["security", "skeptic", "critic"],
  technical: ["performance", "security", "innovator"],
};

/** Personas that sit together in a council, by the name of the group. */
export const councilPresets: Presets = {
  comprehensive: ["judge", "critic", "skeptic", "oracle", "innovator"],
  quick: ["judge", "critic", "oracle"],
  hostile: ["critic", "skeptic"],
  creative: ["innovator", "advocate", "oracle"],
  "security-review": ["security", "legal", "critic", "skeptic"],
  architecture: ["judge", "skeptic", "oracle", "innovator", "performance"],
  product: ["judge", "advocate", "ux", "data", "innovator"],
  technical: ["skeptic", "performance", "security", "thinker"],
};

/** The personas of a preset; `all` is every adviser. Refuses unknown ones and lists those there are. */
export function presetPersonas(presets: Presets, name: string, library: PersonaLibrary): readonly string[] {
  if (name === "all") return advisers(library);
  if (Object.hasOwn(presets, name)) return presets[name];
  throw new UsageError(
    `there is no preset ${JSON.stringify(name)}; there are: ${[...Object.keys(presets), "all"].join(", ")}`,
  );
}

/** Every persona that gives opinions. */
export function advisers(library: PersonaLibrary): string[] {
  return [...library.values()].filter(({ role }) => role === "adviser").map(({ name }) => name);
}

/**
 * Reads a list such as `judge,critic` or `quick,legal`: each name is a persona or, failing that, a preset. A name that is
 * both (`security`) is the persona.
 */
export function readPersonaList(list: string, presets: Presets, library: PersonaLibrary): string[] {
  const names = list
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (names.length === 0) throw new UsageError("the list of personas is empty: give names such as judge,critic");
  const personas = names.flatMap((name) => {
    if (library.has(name)) return [name];
    if (name === "all" || Object.hasOwn(presets, name)) return presetPersonas(presets, name, library);
    const known = `personas: ${[...library.keys()].join(", ")}; presets: ${[...Object.keys(presets), "all"].join(", ")}`;
    throw new UsageError(`there is no persona or preset ${JSON.stringify(name)} (${known})`);
  });
  return [...new Set(personas)];
}
