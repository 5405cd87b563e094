// The tree in docs/architecture.md: `node scripts/architecture-tree.ts` brings its lines in step with the folders on disk
// and keeps what is said of each; a new folder gets a line that waits for its meaning.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PAGE = join(ROOT, "docs", "architecture.md");
const BLOCK = /(?<=^```tree\n)[^`]*(?=^```$)/m;
const INDENT = "  ";

/** Folders with their meanings, by their path as in `engine/pools/worker`, in the order of their lines. */
export type FolderTree = ReadonlyMap<string, string>;

/** Every folder of packages/*\/src that holds a source file, itself or below. */
export function foldersOnDisk(root = ROOT): readonly string[] {
  const folders = new Set<string>();
  for (const file of globSync("packages/*/src/**/*.ts", { cwd: root })) {
    for (let folder = dirname(file); folder.includes("/"); folder = dirname(folder)) {
      if (!folder.startsWith("packages/")) break;
      folders.add(folder.replace(/^packages\/([^/]+)(\/src)?/, "$1"));
    }
  }
  return [...folders].sort((a, b) => (a.replaceAll("/", "\0") < b.replaceAll("/", "\0") ? -1 : 1));
}

/** Reads a block of lines like `    worker/   what runs in a worker`, each one deeper by two spaces than its parent. */
export function readTree(block: string): FolderTree {
  const tree = new Map<string, string>();
  const above: string[] = [];
  for (const line of block.split("\n")) {
    const [, indent, name, meaning] = /^( *)([^ /]+)\/ *(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    above.length = indent.length / INDENT.length;
    above.push(name);
    tree.set(above.join("/"), meaning);
  }
  return tree;
}

/** The block for these folders, with the meanings that are known. */
export function treeText(folders: readonly string[], known: FolderTree): string {
  const heads = folders.map((folder) => {
    const steps = folder.split("/");
    return `${INDENT.repeat(steps.length - 1)}${steps.at(-1)}/`;
  });
  const width = Math.max(...heads.map((head) => head.length)) + 2;
  return folders
    .map((folder, i) => `${heads[i].padEnd(width)}${known.get(folder) ?? ""}`.trimEnd().concat("\n"))
    .join("");
}

/** One line for every folder that is not in the tree, every line that has no folder, and every folder without a meaning. */
export function treeDifferences(folders: readonly string[], tree: FolderTree): string[] {
  return [
    ...folders.filter((folder) => !tree.has(folder)).map((folder) => `${folder}/ is on disk and has no line`),
    ...[...tree.keys()]
      .filter((path) => !folders.includes(path))
      .map((path) => `${path}/ has a line and is not on disk`),
    ...[...tree].filter(([, meaning]) => meaning === "").map(([path]) => `${path}/ has no meaning yet`),
  ];
}

export function blockOf(page: string): string {
  const block = BLOCK.exec(page)?.[0];
  if (block === undefined) throw new Error("docs/architecture.md has no block that begins with ```tree");
  return block;
}

if (import.meta.main) {
  const page = readFileSync(PAGE, "utf8");
  const folders = foldersOnDisk();
  const text = treeText(folders, readTree(blockOf(page)));
  writeFileSync(
    PAGE,
    page.replace(BLOCK, () => text),
  );
  for (const line of treeDifferences(folders, readTree(text))) console.log(line);
}
