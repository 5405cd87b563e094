import type { History } from "../journal/history.ts";
import { RunDigest } from "../journal/run-digest.ts";

/** The asks that were told, in tell order, as far as the journal goes: outcomes are known and nothing was withdrawn. */
export function* toldAsks(
  history: History,
): Generator<{ readonly ask: number; readonly key: string; readonly ok: boolean }> {
  const last = history.end?.tells ?? Number.POSITIVE_INFINITY;
  let tells = 0;
  for (const [ask, key] of history.askKeys.entries()) {
    if (tells >= last) return;
    if (history.withdrawn.has(ask)) continue;
    const ok = history.successes.has(key);
    if (!ok && !history.failures.has(key)) return;
    tells++;
    yield { ask, key, ok };
  }
}

/** Recomputes a run's digest from its journal alone; `textOf` finds an outcome's encoded text. */
export function digestOf(
  history: History,
  textOf: (key: string) => string,
): { readonly digest: string; readonly tells: number } {
  const digest = new RunDigest();
  let tells = 0;
  for (const { key, ok } of toldAsks(history)) {
    digest.add(key, ok, textOf(key));
    tells++;
  }
  return { digest: digest.value(), tells };
}
