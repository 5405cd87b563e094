import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { SEARCH_TREE } from "@coppice/engine/records";
import type { KnownRun, WatchedRun } from "../runs/watched-run.ts";

/** Reads what a page shows of a run of some tool, beyond what every run has: small, and never the whole journal. */
type ReadView = (directory: string) => object | undefined | Promise<object>;

const readConsultView = async (): Promise<ReadView> => (await import("@coppice/agents/view")).readConsultView;
const readTunerView = async (): Promise<ReadView> => (await import("@coppice/projections/view")).readTunerView;

/**
 * By the `tool` that `run.json` names. A tool's package has an entry `/view` that reads its runs and knows nothing of
 * pages; what is drawn of it is in the page's folder of the same tool. Loaded when such a run is first looked at.
 */
const readers: Readonly<Record<string, () => Promise<ReadView>>> = {
  ask: readConsultView,
  council: async () => (await import("@coppice/agents/view")).readCouncilView,
  digest: readConsultView,
  "flow-plan": async () => (await import("@coppice/airspace/view")).readFlowView,
  ranking: readConsultView,
  run: async () => (await import("@coppice/engine/records")).readSearchTree,
  sampling: readTunerView,
  swarm: readConsultView,
  tree: async () => (await import("@coppice/ideas/view")).readTreeView,
  tune: readTunerView,
};

/** Whether a page may be asked to show more of a run than every run has. A search of a user's own has a tree, or none. */
export function hasView({ start, directory }: Pick<KnownRun, "start" | "directory">): boolean {
  if (start === undefined || !Object.hasOwn(readers, start.tool)) return false;
  return start.tool !== "run" || existsSync(join(directory, SEARCH_TREE));
}

/** Views that are kept: one may take a second to make. */
const MOST_KEPT = 4;

/** What tools have to show of their runs, made again only when something has happened in a run. */
export class ToolViews {
  readonly #kept = new Map<string, { readonly stamp: string; readonly view: Promise<object | undefined> }>();

  /** Undefined for a run of a tool that has nothing of its own to show. */
  async of(run: WatchedRun): Promise<object | undefined> {
    const { start, told, end } = run.state(Date.now());
    const load = start !== undefined && Object.hasOwn(readers, start.tool) ? readers[start.tool] : undefined;
    if (load === undefined) return undefined;
    // A tool writes files of its own after the run has ended.
    const stamp = `${told} ${end?.state ?? ""} ${statSync(run.directory).mtimeMs}`;
    const known = this.#kept.get(run.directory);
    if (known?.stamp === stamp) return known.view;
    const view = load().then((read) => read(run.directory));
    this.#kept.delete(run.directory);
    this.#kept.set(run.directory, { stamp, view });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    // What could not be read is tried again.
    view.catch(() => this.#kept.delete(run.directory));
    return view;
  }
}
