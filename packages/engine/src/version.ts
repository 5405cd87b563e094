// Imported, not read: an evaluator that is bundled for workers elsewhere takes it along.
import manifest from "../package.json" with { type: "json" };

/** The engine's own version, as its package says. */
export const COPPICE_VERSION: string = manifest.version;
