import { join, resolve } from "node:path";
import { writeAtomically } from "@coppice/engine/files";
import { findRun } from "@coppice/engine/records";
import {
  layout,
  manifestOf,
  manifestText,
  mermaid,
  readTree,
  validateTree,
  validationText,
  writeConversations,
  writeReports,
} from "@coppice/ideas";
import { exitCode } from "../exit-code.ts";
import { printJson } from "../session/print-json.ts";
import { refuseIfLive } from "./resume.ts";
import type { ReadFlags } from "./status.ts";

/** `coppice tree report <run>`. */
export function reportTree(named: string, flags: ReadFlags): void {
  const directory = findRun(named, flags.runDir);
  refuseIfLive(directory);
  const tree = readTree(resolve(directory));
  writeConversations(tree);
  const manifest = manifestOf(tree);
  writeAtomically(join(directory, layout.manifest), manifestText(manifest));
  writeReports(directory, manifest);
  const files = [layout.manifest, layout.summary, layout.graph, layout.page].map((name) => join(directory, name));
  if (flags.json === true) printJson({ files });
  else process.stdout.write(`${files.join("\n")}\n`);
}

/** `coppice tree graph <run>`. */
export function graphTree(named: string, flags: ReadFlags): void {
  const manifest = manifestOf(readTree(resolve(findRun(named, flags.runDir))));
  if (flags.json === true) printJson({ mermaid: mermaid(manifest), nodes: manifest.nodes });
  else process.stdout.write(mermaid(manifest));
}

/** `coppice tree validate <run>`. */
export async function checkTree(named: string, flags: ReadFlags): Promise<void> {
  const directory = findRun(named, flags.runDir);
  const tree = readTree(resolve(directory));
  const problems = await validateTree(tree);
  const text = validationText(tree.settings.treeRunId, problems);
  writeAtomically(join(directory, layout.validation), text);
  if (flags.json === true) printJson({ ok: problems.length === 0, problems });
  else process.stdout.write(text);
  if (problems.length > 0) process.exitCode = exitCode.failed;
}
