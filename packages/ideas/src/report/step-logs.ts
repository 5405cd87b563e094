import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@coppice/engine/usage-error";
import type { Manifest, ManifestEvaluation, ManifestNode } from "../manifest/manifest.ts";
import { layout } from "../run-layout.ts";
import { ROOT_ID } from "../search/tree-state.ts";
import { evaluationsInOrder, fileName } from "./in-order.ts";

/** The logs of one node or evaluation. */
export interface StepLogs {
  /** What they are of, for people. */
  readonly title: string;
  /** By step, in the order they were begun. */
  readonly logs: readonly { readonly step: string; readonly path: string; readonly text: string }[];
}

/** The order in which steps are run. */
const ORDER = ["setup", "ideas", "implement", "review", "test", "sweep", "score"];

/**
 * What the steps of a node or an idea printed: of a node, what made it and what was run in its worktree. An idea is
 * named by its file, with or without `.md`, or by the number of its evaluation (`e0007` where a node has that number too).
 */
export function stepLogs(runRoot: string, manifest: Manifest, what: string, step?: string): StepLogs {
  const { title, folders } = placesOf(manifest, what);
  const logs = folders
    .flatMap((folder) => logsIn(runRoot, folder))
    .sort((a, b) => ORDER.indexOf(a.step) - ORDER.indexOf(b.step));
  const wanted = logs.filter((log) => step === undefined || log.step === step);
  if (wanted.length === 0) {
    const steps = [...new Set(logs.map((log) => log.step))];
    const there = steps.length === 0 ? "nothing was run for it yet" : `it has ${steps.join(", ")}`;
    throw new UsageError(`${title} has no log${step === undefined ? "" : ` of ${step}`}: ${there}`);
  }
  const because = Object.hasOwn(manifest.nodes, what) ? manifest.nodes[what].because : null;
  return { title: because === null ? title : `${title}, promoted because ${because}`, logs: wanted };
}

function placesOf(manifest: Manifest, what: string): { readonly title: string; readonly folders: readonly string[] } {
  const { nodes } = manifest;
  // The root has steps before it is a node, and is none if one of them fails.
  if (Object.hasOwn(nodes, what) || what === ROOT_ID) {
    const node: ManifestNode | undefined = nodes[what];
    const made = node?.artifacts.promoted_from_eval_id ?? what;
    const idea = node?.idea_chain.at(-1);
    const folders = [layout.evaluationLogs(made), layout.nodeLogs(what), layout.ideasLogs(what)];
    return { title: `node ${what} (${idea === undefined ? "the root" : fileName(idea)})`, folders };
  }
  const evaluation = evaluationOf(manifest, what);
  const title = `evaluation ${evaluation.eval_id} (${fileName(evaluation.idea_path)} on node ${evaluation.parent_node_id})`;
  return { title, folders: [evaluation.experiment_dir] };
}

function evaluationOf(manifest: Manifest, what: string): ManifestEvaluation {
  const all = evaluationsInOrder(manifest);
  const numbered = manifest.evaluations[what.replace(/^e(?=\d+$)/, "")];
  if (numbered !== undefined) return numbered;
  const named = all.filter(({ idea_path }) => calls(what, fileName(idea_path)));
  const [only] = named;
  if (only === undefined) {
    const known = [...new Set(all.map(({ idea_path }) => fileName(idea_path)))].slice(0, 10).join(", ");
    throw new UsageError(`tree ${manifest.tree_run_id} has no node, evaluation or idea ${what} (ideas: ${known})`);
  }
  if (named.length === 1) return only;
  const where = named.map(({ eval_id, parent_node_id }) => `e${eval_id} on node ${parent_node_id}`).join(", ");
  throw new UsageError(`${what} was evaluated ${named.length} times: name one of ${where}`);
}

/** A file of ideas may be called without its ending, and without the number it begins with. */
function calls(what: string, file: string): boolean {
  const bare = file.replace(/\.md$/, "");
  return [file, bare, bare.replace(/^\d+[-_ ]+/, "")].includes(what);
}

function logsIn(runRoot: string, folder: string): StepLogs["logs"] {
  if (!existsSync(join(runRoot, folder))) return [];
  return readdirSync(join(runRoot, folder))
    .filter((name) => name.endsWith(".log"))
    .map((name) => {
      const path = `${folder}/${name}`;
      return { step: name.slice(0, -".log".length), path, text: readFileSync(join(runRoot, path), "utf8") };
    });
}
