import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "@coppice/engine/usage-error";
import { type Persona, parsePersona } from "./persona.ts";

const BUILT_IN = fileURLToPath(new URL("./library/", import.meta.url));

/** Personas by name: the built-in ones, and the user's, which replace those of the same name. */
export type PersonaLibrary = ReadonlyMap<string, Persona>;

export function readPersonas(folder?: string): PersonaLibrary {
  const personas = new Map(readFolder(BUILT_IN).map((persona) => [persona.name, persona]));
  if (folder !== undefined) for (const persona of readFolder(folder)) personas.set(persona.name, persona);
  return personas;
}

/** Finds personas by name, each once, in the order given; refuses unknown ones and lists those there are. */
export function findPersonas(library: PersonaLibrary, names: readonly string[]): Persona[] {
  return [...new Set(names)].map((name) => {
    const persona = library.get(name);
    if (persona !== undefined) return persona;
    throw new UsageError(`there is no persona ${JSON.stringify(name)}; there are: ${[...library.keys()].join(", ")}`);
  });
}

/** The order in which people read of the built-in personas; others follow by name. */
const ORDER =
  "judge critic skeptic oracle innovator advocate thinker security legal performance ux data recruiter arbiter".split(
    " ",
  );

function readFolder(folder: string): Persona[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  } catch (error) {
    throw new UsageError(`persona folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const place = (name: string) => {
    const at = ORDER.indexOf(name.slice(0, -3));
    return at < 0 ? ORDER.length : at;
  };
  return names
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => parsePersona(readFileSync(join(folder, name), "utf8"), join(folder, name)));
}
