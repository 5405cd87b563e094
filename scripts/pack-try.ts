// `npm run pack:try`: installs the tarballs in empty folders outside the clone and does there what a user would do.
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";
import { buildBundle } from "../packages/cli/src/hooks/build-bundle.ts";
import { packAll, type Tarball } from "./pack/pack.ts";
import { type Manifest, publishedManifest } from "./pack/published-manifest.ts";
import { Installation } from "./pack/try/installation.ts";
import { canHaveNodes, NEWEST, nodeOf, OLDEST, TOO_OLD } from "./pack/try/nodes.ts";
import { tryCommand, tryHelp, tryHooks, tryWrongInput } from "./pack/try/try-command.ts";
import { tryInit } from "./pack/try/try-init.ts";
import { tryEntries, tryLibrary, tryTypes } from "./pack/try/try-library.ts";
import { tryTarballs } from "./pack/try/try-tarballs.ts";

const workspace = dirname(dirname(fileURLToPath(import.meta.url)));
const entries = globSync("packages/*/package.json", { cwd: workspace }).flatMap((path) => {
  const { name, exports } = publishedManifest(JSON.parse(readFileSync(join(workspace, path), "utf8")) as Manifest);
  return Object.keys(exports).map((entry) => join(name, entry));
});
const nodes: Record<string, string> = { [process.versions.node]: process.execPath };
if (canHaveNodes) for (const version of [OLDEST, NEWEST]) nodes[version] = nodeOf(version, workspace);
const tooOld = canHaveNodes ? nodeOf(TOO_OLD, workspace) : undefined;

describe("the tarballs, outside the clone", () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-tarballs-"));
  let tarballs: readonly Tarball[] = [];
  let engine: Installation | undefined;
  let all: Installation | undefined;
  before(async () => {
    tarballs = await packAll(folder);
    await buildBundle();
    engine = new Installation(tarballs.filter(({ name }) => name === "@coppice/engine").map(({ file }) => file));
    all = new Installation(tarballs.map(({ file }) => file));
  });
  after(() => {
    engine?.remove();
    all?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const theEngine = () => there(engine);
  const everything = () => there(all);

  tryTarballs(() => tarballs, everything, workspace);
  tryTypes(everything, entries, workspace);
  tryLibrary(theEngine, nodes, workspace);
  tryEntries(everything, entries, nodes);
  tryCommand(everything, nodes, workspace);
  tryInit(everything, nodes);
  tryHooks(everything, workspace);
  tryHelp(everything, workspace);
  tryWrongInput(everything, tooOld);
});

function there(installation: Installation | undefined): Installation {
  if (installation === undefined) throw new Error("nothing is installed yet");
  return installation;
}
