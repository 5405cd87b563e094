import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import type { EvaluatorName } from "@coppice/engine/pools";
import { UsageError } from "@coppice/engine/usage-error";

/** Why a worker does not work for a run. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** A hash, `@scope/*`, a package, or a file in one. */
const PATTERN = /^(sha256:[0-9a-f]{16,64}|@[\w-][\w.-]*\/\*|(@[\w-][\w.-]*\/)?[\w-][\w.-]*(\*|(\/[\w-][\w.-]*)*))$/;

/**
 * Which evaluators a worker's operator lets it run. Whoever can write to Redis chooses the evaluator and its context, so
 * a package is allowed only with what it says is nothing but computing (`coppice.computes` in its package.json); an
 * evaluator that starts programs has to be named itself: `@coppice/ideas/src/evaluate/evaluator.ts`.
 */
export class Allowed {
  readonly #patterns: readonly string[];
  readonly any: boolean;

  constructor(patterns: readonly string[], any: boolean) {
    for (const pattern of patterns) {
      if (PATTERN.test(pattern)) continue;
      throw new UsageError(
        `--allow ${JSON.stringify(pattern)} is neither a package (@coppice/*), an evaluator in one (@acme/evaluators/src/day.ts) nor the hash of a bundle (sha256: and at least 16 of its digits)`,
      );
    }
    this.#patterns = patterns;
    this.any = any;
  }

  /** Whether code that is installed here may be run. */
  installed(name: EvaluatorName, base: string): boolean {
    if (!isPlain(name)) return false;
    if (this.any) return true;
    if (name.package === undefined) return false;
    if (this.named(name)) return true;
    return this.#patterns.some((pattern) => covers(pattern, name.package ?? "")) && computes(name, base);
  }

  /** Whether its operator trusts this very evaluator: with programs, and with what is on this machine's disk. */
  named(name: EvaluatorName): boolean {
    return this.any || this.#patterns.includes(`${name.package}/${name.path}`);
  }

  /** Whether code that comes over Redis may be run. */
  bundle(hash: string): boolean {
    return (
      this.any || this.#patterns.some((pattern) => pattern.startsWith("sha256:") && hash.startsWith(pattern.slice(7)))
    );
  }
}

/** Whether every part of a name stays where the part before it leads. */
function isPlain({ package: home = "", path, export: exported = "" }: EvaluatorName): boolean {
  return [home, path, exported].every((part) => !part.split(/[\\/]/).includes(".."));
}

/** `@coppice/*` covers `@coppice/airspace`. */
function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Whether its package says that it does nothing but compute; a build has the same modules elsewhere. */
function computes({ package: home, path }: EvaluatorName, base: string): boolean {
  const manifest = home === undefined ? undefined : manifestOf(home, base);
  if (manifest === undefined) return false;
  const { coppice } = JSON.parse(readFileSync(manifest, "utf8")) as { coppice?: { computes?: readonly string[] } };
  const plain = (file: string): string => file.replace(/^(\.\/)?(src|dist)\//, "").replace(/\.[jt]s$/, "");
  return coppice?.computes?.some((file) => plain(file) === plain(path)) === true;
}

function manifestOf(home: string, base: string): string | undefined {
  try {
    return findPackageJSON(home, base);
  } catch {
    // Not installed here.
    return undefined;
  }
}
