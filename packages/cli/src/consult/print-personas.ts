import { askPresets, councilPresets, type PersonaLibrary, type Presets } from "@coppice/agents/personas";
import { print, printJson } from "../print.ts";

/** `coppice ask --list`: who can be asked, and the groups that have names. */
export function printPersonas(library: PersonaLibrary, json: boolean): void {
  const personas = [...library.values()].map(({ name, title, asks, role }) => ({ name, title, asks, role }));
  if (json) {
    printJson({ personas, presets: { ask: askPresets, council: councilPresets } });
    return;
  }
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
  print(`${lines.join("\n")}\n`);
}

function presetLines(presets: Presets): string[] {
  const width = Math.max(...Object.keys(presets).map((name) => name.length));
  return Object.entries(presets).map(([name, members]) => `  ${name.padEnd(width)}  ${members.join(", ")}`);
}
