import type { PersonaLibrary } from "./library.ts";
import { askPresets, councilPresets, type Presets } from "./presets.ts";

/** Who can be asked, and the groups that have names. */
export function personasDocument(library: PersonaLibrary) {
  const personas = [...library.values()].map(({ name, title, asks, role }) => ({ name, title, asks, role }));
  return { personas, presets: { ask: askPresets, council: councilPresets } };
}

/** The same as text. */
export function personasText(library: PersonaLibrary): string {
  const { personas } = personasDocument(library);
  const width = Math.max(...personas.map(({ name }) => name.length));
  const lines = [
    "Personas",
    ...personas.map(
      ({ name, asks, role }) => `  ${name.padEnd(width)}  ${asks}${role === "office" ? " (councils only)" : ""}`,
    ),
    "",
    "Presets of ask (all: every adviser)",
    ...presetLines(askPresets),
    "",
    "Presets of council",
    ...presetLines(councilPresets),
  ];
  return lines.join("\n");
}

function presetLines(presets: Presets): string[] {
  const width = Math.max(...Object.keys(presets).map((name) => name.length));
  return Object.entries(presets).map(([name, members]) => `  ${name.padEnd(width)}  ${members.join(", ")}`);
}
