import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileVersion } from "../file-version.ts";
import type { Fields } from "../json-fields.ts";
import { subjectOf } from "../settings/matcher.ts";
import { readSettingsTexts } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";
import { hookFiles } from "../trace/hook-files.ts";
import { observationOf, observationsText, readObservations } from "../trace/observations.ts";
import { type StagedEvent, stageEvent } from "./stage-event.ts";

/** A daemon meets ever new tools and projects; the stagings it has kept longest go first. */
const MOST_KEPT = 500;

/** Keeps stagings for as long as the settings and the hooks' own files stay as they were (H-17). */
export class StagingCache {
  readonly #kept = new Map<string, { readonly key: string; readonly staged: StagedEvent }>();
  /** How often a staging had to be made. */
  made = 0;

  async stage(event: string, input: Fields, places: Places, env: NodeJS.ProcessEnv): Promise<StagedEvent> {
    const name = JSON.stringify([event, subjectOf(event, input) ?? null, places]);
    const texts = readSettingsTexts(places);
    const known = this.#kept.get(name);
    if (known !== undefined && known.key === keyOf(texts, known.staged, places, env)) return known.staged;
    this.made++;
    const staged = await stageEvent(event, input, places, texts);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(name, { key: keyOf(texts, staged, places, env), staged });
    return staged;
  }
}

/** A hash of all settings texts, of every file the staged hooks consist of, and of what was seen of them. */
function keyOf(
  texts: ReadonlyMap<string, string>,
  { staging }: StagedEvent,
  { projectDir }: Places,
  env: NodeJS.ProcessEnv,
): string {
  const hash = createHash("sha256");
  const stateDir = stateDirectory(projectDir);
  const observed = readObservations(stateDir);
  for (const [file, text] of texts) hash.update(`${file}\0${text}\0`);
  for (const hook of staging.hooks) {
    const traced = Object.keys(hook.traced?.files ?? {}).map((path) => join(projectDir, path));
    const files = [...hookFiles(hook, projectDir, env), ...(observationOf(observed, hook)?.files ?? []), ...traced];
    for (const file of files) hash.update(`${file}\0${fileVersion(file)}\0`);
  }
  hash.update(observationsText(stateDir));
  return hash.digest("hex");
}
