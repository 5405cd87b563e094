import { createHash } from "node:crypto";
import { subjectOf } from "../settings/matcher.ts";
import { readEventSettings, readSettingsTexts } from "../settings/read-settings.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state/state-directory.ts";
import { fileVersion } from "../trace/file-version.ts";
import { hookFiles } from "../trace/hook-files.ts";
import { observationsText } from "../trace/observations.ts";
import { type PlannedEvent, planSettings } from "./plan-event.ts";

interface Kept {
  readonly key: string;
  readonly planned: PlannedEvent;
}

/** A daemon meets ever new tools and projects; the plans it has kept longest go first. */
const MOST_KEPT = 500;

/** Keeps plans for as long as the settings and the hooks' own files stay as they were (H-17). */
export class PlanCache {
  readonly #kept = new Map<string, Kept>();
  #planned = 0;

  /** How often a plan had to be made. */
  get planned(): number {
    return this.#planned;
  }

  async plan(
    event: string,
    input: Readonly<Record<string, unknown>>,
    places: Places,
    env: NodeJS.ProcessEnv,
  ): Promise<PlannedEvent> {
    const name = JSON.stringify([event, subjectOf(event, input) ?? null, places]);
    const texts = readSettingsTexts(places);
    const known = this.#kept.get(name);
    if (known !== undefined && known.key === keyOf(texts, known.planned, places, env)) return known.planned;
    this.#planned++;
    const planned = await planSettings(readEventSettings(event, places, texts), event, input, places);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(name, { key: keyOf(texts, planned, places, env), planned });
    return planned;
  }
}

/** A hash of all settings texts, of every file the planned hooks consist of, and of what was seen of them if that counts. */
function keyOf(
  texts: ReadonlyMap<string, string>,
  { plan, options }: PlannedEvent,
  { projectDir }: Places,
  env: NodeJS.ProcessEnv,
): string {
  const hash = createHash("sha256");
  for (const [file, text] of texts) hash.update(`${file}\0${text}\0`);
  for (const hook of plan.hooks) {
    for (const file of hookFiles(hook, projectDir, env)) hash.update(`${file}\0${fileVersion(file)}\0`);
  }
  if (options.observed) hash.update(observationsText(stateDirectory(projectDir)));
  return hash.digest("hex");
}
