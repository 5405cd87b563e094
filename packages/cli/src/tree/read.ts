import { join, resolve } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { findRun } from "@coppice/engine/records";
import { UsageError } from "@coppice/engine/usage-error";
import { applyNode, branchNode, cleanTree, layout, manifestOf, openTree, readTree, refuseIfLive } from "@coppice/ideas";
import {
  mermaid,
  rewriteReports,
  statusText,
  stepLogs,
  treeDocument,
  treeStatus,
  validateTree,
  validationText,
} from "@coppice/ideas/report";
import { exitCode } from "../exit-code.ts";
import type { PlaceOptions } from "../options/run-options.ts";
import { notice, printAnswer } from "../print.ts";
import { writePage } from "../session/write-page.ts";

interface ReadFlags extends PlaceOptions {
  readonly json?: boolean;
}

/** `coppice tree status <run>`: also of a run that is under way. */
export function showStatus(named: string, flags: ReadFlags): void {
  const directory = findRun(named, flags.runDir);
  const status = treeStatus(resolve(directory));
  const { manifest, ...rest } = status;
  printAnswer(flags.json, { ...treeDocument(manifest, directory), ...rest }, () => statusText(status, directory));
}

/** `coppice tree report <run>`. */
export async function reportTree(named: string, flags: ReadFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  await refuseIfLive(directory, notice);
  const names = rewriteReports(readTree(resolve(directory)));
  const files = [...names.map((name) => join(directory, name)), await writePage(directory)];
  printAnswer(flags.json, { files }, () => files.join("\n"));
}

/** `coppice tree log <run> <node|idea> [step]`. */
export function showLog(named: string, what: string, step: string | undefined, flags: ReadFlags): void {
  const directory = findRun(named, flags.runDir);
  const { title, logs } = stepLogs(resolve(directory), manifestOf(readTree(resolve(directory))), what, step);
  const shown = logs.map(({ path, text }) => `── ${join(directory, path)} ──\n${text.replace(/\n$/, "")}`);
  printAnswer(flags.json, { title, logs }, () => [title, ...shown].join("\n"));
}

/** `coppice tree graph <run>`. */
export function graphTree(named: string, flags: ReadFlags): void {
  const manifest = manifestOf(readTree(resolve(findRun(named, flags.runDir))));
  const graph = mermaid(manifest);
  printAnswer(flags.json, { mermaid: graph, nodes: manifest.nodes }, () => graph);
}

/** `coppice tree validate <run>`. */
export async function checkTree(named: string, flags: ReadFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const tree = readTree(resolve(directory));
  const problems = await validateTree(tree);
  const text = validationText(tree.settings.treeRunId, problems);
  writeDurably(join(directory, layout.validation), text);
  printAnswer(flags.json, { ok: problems.length === 0, problems }, () => text);
  if (problems.length > 0) process.exitCode = exitCode.failed;
}

interface ApplyFlags {
  readonly node?: string;
  readonly yes?: boolean;
  readonly onto?: string;
  readonly merge?: boolean;
}

/** `coppice tree pr <run> [node]`, and `apply --onto`: a branch with the node's commits and what the record says of them. */
export async function branchTree(
  named: string,
  id: string | undefined,
  flags: ReadFlags & {
    readonly branch?: string;
    readonly base?: string;
    readonly merge?: boolean;
    readonly push?: string | true;
  },
): Promise<void> {
  const tree = readTree(resolve(findRun(named, flags.runDir)));
  const made = await branchNode(tree, manifestOf(tree), {
    node: id,
    branch: flags.branch,
    base: flags.base,
    how: flags.merge === true ? "merge" : "cherry-pick",
    push: flags.push === true ? "origin" : flags.push,
  });
  const where = made.pushed === null ? `not pushed: git push origin ${made.branch}` : `pushed to ${made.pushed}`;
  printAnswer(flags.json, made, () =>
    [`node ${made.node} is on the branch ${made.branch} (${where})`, `  ${made.description}`, "", made.text].join("\n"),
  );
}

/** `coppice tree apply <run>`: shows what would change; changes it with `--yes`. */
export async function apply(named: string, id: string | undefined, flags: ReadFlags & ApplyFlags): Promise<void> {
  if (id !== undefined && flags.node !== undefined && flags.node !== id)
    throw new UsageError(`two nodes are named, ${id} and --node ${flags.node}: leave one out`);
  if (flags.onto !== undefined) return branchTree(named, id ?? flags.node, { ...flags, branch: flags.onto });
  if (flags.merge === true) throw new UsageError("--merge needs --onto <branch>: without it nothing is committed");
  const tree = readTree(resolve(findRun(named, flags.runDir)));
  const change = await applyNode(tree, manifestOf(tree), { node: id ?? flags.node, write: flags.yes === true });
  const { node, branch, because, files, patch, applied } = change;
  const why = because === null ? [] : [`  promoted because ${because}`];
  const lines = [...why, ...files.map(({ path, added, removed }) => `  ${path} +${added} -${removed}`)];
  const how = applied ? "is in the working tree now, not committed" : "was not applied; to do so, add --yes";
  printAnswer(flags.json, change, () => [`node ${node} (${branch}) ${how}`, ...lines, `  ${patch}`].join("\n"));
}

/** `coppice tree clean <run>`: removes what the run made and nothing else. */
export async function clean(named: string, flags: ReadFlags & { readonly all?: boolean }): Promise<void> {
  const directory = findRun(named, flags.runDir);
  await refuseIfLive(directory, notice);
  const { found, left } = await cleanTree(openTree(resolve(directory)), flags.all === true);
  const removed = found - left.length;
  const lines = [`removed ${removed} of ${found}`, ...left.map((what) => `  still there: ${what}`)];
  printAnswer(flags.json, { removed, left }, () => lines.join("\n"));
  if (left.length > 0) process.exitCode = exitCode.failed;
}
