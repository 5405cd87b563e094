import { join } from "node:path";
import { writeAtomically } from "@coppice/engine/files";
import type { Manifest } from "../manifest/manifest.ts";
import { layout } from "../run-layout.ts";
import { graphText } from "./graph-text.ts";
import { summaryText } from "./summary-text.ts";
import { treePage } from "./tree-page.ts";

/** Summary, graph and page, each made of the manifest. */
export function writeReports(runRoot: string, manifest: Manifest): void {
  writeAtomically(join(runRoot, layout.summary), summaryText(manifest));
  writeAtomically(join(runRoot, layout.graph), graphText(manifest));
  writeAtomically(join(runRoot, layout.page), treePage(manifest));
}
