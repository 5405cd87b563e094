import { createHash } from "node:crypto";
import { cacheScope, type EvaluationCache } from "../cache/evaluation-cache.ts";
import type { RunShape } from "../run-directory/open-run.ts";
import { hashCandidate } from "./run-record.ts";

/** Encoded values of earlier runs, as this run may use them; a miss is undefined. */
export interface EvaluationStore {
  get(key: string, candidate: string): string | undefined;
  put(key: string, candidate: string, encoded: string): void;
}

type SharedArrays = Readonly<Record<string, SharedArrayBuffer>>;

/**
 * The cache as one run sees it: only what the same evaluator computed from the same context, seed, inputs and shared
 * arrays. A key means one candidate within a run but not between runs, so the candidate is part of what is looked up.
 */
export async function evaluationStore(
  cache: EvaluationCache,
  { evaluator, context, seed, inputs, versions }: RunShape,
  shared: SharedArrays | undefined,
): Promise<EvaluationStore> {
  // Loaded for its own version, which goes before the hash of its code. One that cannot be loaded is the pool's to report.
  const module: { readonly default?: { readonly version?: string } } = await import(evaluator.url).catch(() => ({}));
  const name = new URL(evaluator.url).pathname.split("/").slice(-2).join("/");
  const scope = cacheScope({
    // Another Node may have another last digit of a logarithm.
    evaluatorVersion: `${name} ${module.default?.version ?? evaluator.version} ${versions.node}`,
    context,
    seed,
    inputs: JSON.stringify([inputs ?? null, shared === undefined ? null : digestOf(shared)]),
  });
  const entry = (key: string, candidate: string) => `${hashCandidate(candidate)} ${key}`;
  return {
    get: (key, candidate) => cache.get(scope, entry(key, candidate)),
    put: (key, candidate, encoded) => cache.put(scope, entry(key, candidate), encoded),
  };
}

function digestOf(shared: SharedArrays): string {
  const digest = createHash("sha256");
  for (const [name, buffer] of Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))) {
    digest.update(`${JSON.stringify(name)} ${buffer.byteLength}\n`).update(new Uint8Array(buffer));
  }
  return digest.digest("hex");
}
