import { join } from "node:path";
import { writeDurably } from "@coppice/engine/files";
import { ConversationWriter } from "../conversation/conversation-files.ts";
import { manifestText } from "../manifest/json-text.ts";
import type { Manifest } from "../manifest/manifest.ts";
import { manifestOf, type RecordedTree } from "../run/recorded-tree.ts";
import { layout } from "../run-layout.ts";
import { graphText } from "./graph-text.ts";
import { summaryText } from "./summary-text.ts";

/** Summary and graph, each made of the manifest. */
export function writeReports(runRoot: string, manifest: Manifest): void {
  writeDurably(join(runRoot, layout.summary), summaryText(manifest));
  writeDurably(join(runRoot, layout.graph), graphText(manifest));
}

/** Writes all that a recorded run says of itself again, from its journal; returns the names of the files. */
export function rewriteReports(tree: RecordedTree): readonly string[] {
  const { runRoot, search, journal } = tree;
  new ConversationWriter(runRoot).write({ nodes: search.nodes, journal });
  const manifest = manifestOf(tree);
  writeDurably(join(runRoot, layout.manifest), manifestText(manifest));
  writeReports(runRoot, manifest);
  return [layout.manifest, layout.summary, layout.graph];
}
