import { COPPICE_VERSION } from "../version.ts";

/** The same symbol in every copy of the engine that a program has loaded. */
const MADE_WITH: unique symbol = Symbol.for("coppice.engine.version");

/** Marks what a user's module defines with this engine's version. */
export function madeHere<Made extends object>(made: Made): Made {
  if (Object.isExtensible(made)) Object.defineProperty(made, MADE_WITH, { value: COPPICE_VERSION, configurable: true });
  return made;
}

/**
 * What is wrong with something that another version of the engine made, if the two do not promise to understand each
 * other: before 1.0.0 every minor version counts as a major one.
 */
export function madeElsewhere(made: object): string | undefined {
  const version = (made as { readonly [MADE_WITH]?: unknown })[MADE_WITH];
  if (typeof version !== "string" || promise(version) === promise(COPPICE_VERSION)) return undefined;
  return `was made with @coppice/engine ${version}, and this is ${COPPICE_VERSION}: install one of them for both ("npm ls @coppice/engine" says who brings which)`;
}

function promise(version: string): string {
  return /^0\.\d+|^\d+/.exec(version)?.[0] ?? version;
}
