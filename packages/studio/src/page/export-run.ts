import { createHash } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { noMarks } from "../runs/marks.ts";
import { listFiles, openFile } from "../runs/run-files.ts";
import { WatchedRun } from "../runs/watched-run.ts";
import { FailureNames } from "../views/failure-names.ts";
import { ToolViews } from "../views/tool-views.ts";
import type { Embedded, EmbeddedView, FileRow } from "../wire.ts";
import { pageBundle } from "./page-bundle.ts";

/** Tasks that an export shows; the rest is a matter for the studio. */
const MOST_TASKS = 500;
/** Finding them means reading the whole journal once more, at the end of a run: beyond this it would be noticed. */
const MOST_INDEXED = 20_000;
/** Of a tree's ideas; packed, it is a fraction of that. */
const MOST_TEXT_BYTES = 1_000_000;

/** Of a day, half the work of the usual level 6 for a tenth more bytes: who waits for the end of a run waits for this, too. */
const PACKING = 5;

/** A run as one file that needs nothing else: the studio's page with the run's state in it. */
export async function exportRun(directory: string): Promise<string> {
  const watched = new WatchedRun(resolve(directory));
  watched.catchUp();
  const { process: _, ...state } = watched.state(Date.now());
  const isTree = state.start?.tool === "tree";
  const names = new FailureNames();
  await names.load(state.start?.tool);
  const known = names.of(state);
  const view = await new ToolViews().of(watched);
  const run = { ...known, place: 0, mayAct: false, actions: [], marks: noMarks, hasView: view !== undefined };
  const tasks =
    known.asked > MOST_INDEXED
      ? { total: known.asked, from: 0, rows: [] }
      : watched.tasks().window({ from: 0, count: MOST_TASKS });
  const files = listFiles(watched.directory);
  const texts = isTree ? ideaTexts(watched.directory, files) : {};
  return exportedPage({ run, ...(view === undefined ? {} : { view }), tasks, files, texts });
}

/** What the page of an idea lists. */
const SHOWN = /^(logs\/evals\/.*|logs\/(nodes|idea_generation)\/[^/]+\/[^/]+\.log|conversations\/[^/]+\.md)$/;

/** What ideas left: their diffs, reviews and logs, small ones first as far as there is room. */
function ideaTexts(directory: string, files: readonly FileRow[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  let left = MOST_TEXT_BYTES;
  for (const { path, bytes } of files.toSorted((a, b) => a.bytes - b.bytes)) {
    if (!SHOWN.test(path) || bytes === 0) continue;
    left -= bytes;
    if (left < 0) break;
    const { fd } = openFile(directory, path);
    texts[path] = readFileSync(fd, "utf8");
    closeSync(fd);
  }
  return texts;
}

/** What a tool has to show without a run, drawn as for a run of it. */
export function exportView(shown: EmbeddedView): Promise<string> {
  return exportedPage(shown);
}

/**
 * Script and style are named by their hashes, and nothing else may run or be loaded. The state is packed into letters and
 * digits, so that no text in it can end the element it is in.
 */
async function exportedPage(state: Embedded): Promise<string> {
  const { script, style } = await pageBundle();
  const hash = (text: Buffer) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src blob:; base-uri 'none'; form-action 'none'`;
  const packed = gzipSync(JSON.stringify(state), { level: PACKING }).toString("base64");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coppice</title>
<style>${style}</style>
</head>
<body><div id="studio"><noscript>This page needs JavaScript.</noscript></div>
<script type="text/plain" id="state">${packed}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}
