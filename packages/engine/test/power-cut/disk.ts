import { dirname, join, relative } from "node:path";

/** One thing a program asked of the disk; `endedAt` is when the system said it was done, seconds on any one clock. */
export type DiskOperation = { readonly endedAt: number } & (
  | { readonly kind: "create" | "mkdir" | "remove"; readonly path: string }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string }
  | { readonly kind: "write"; readonly path: string; readonly offset: number | "end"; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "rename" | "link"; readonly from: string; readonly path: string }
  /** Covers what had ended before it was begun. */
  | { readonly kind: "sync"; readonly path: string; readonly begunAt: number }
);

/** What of the things that were never synced is on the disk all the same. */
export type Survival = "none" | "all" | "names" | "contents" | ((count: number) => number);

/** What is left under the root, by path relative to it: a file's bytes, a folder, or where a link leads. */
export type Remains = ReadonlyMap<string, Buffer | "folder" | { readonly linkTo: string }>;

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

interface Pending {
  readonly endedAt: number;
}

/** A file or link: `synced` is sure, `pending` may be there in any part. */
interface FileNode {
  readonly kind: "file";
  readonly linkTo: string | undefined;
  synced: Buffer;
  live: Buffer;
  pending: (Pending & Change)[];
}

/** A folder: names are its contents, and only its own sync makes them sure. */
interface FolderNode {
  readonly kind: "folder";
  synced: Map<string, Node>;
  readonly live: Map<string, Node>;
  pending: (Pending & { readonly removed?: string; readonly added?: readonly [string, Node] })[];
}

const EMPTY = Buffer.alloc(0);

type Node = FileNode | FolderNode;

/**
 * A disk that forgets what was not synced, as hostile as the rules allow: a file's bytes are sure after a sync of the
 * file, its name after a sync of its folder, a folder's own name after a sync of the one above. Everything else may be
 * there or not, in any combination.
 */
export class ForgetfulDisk {
  readonly #root: string;
  readonly #journaledNames: boolean;
  readonly #top = folder();

  /**
   * Starts with what was there before, all of it sure. `journaledNames`: as on ext4, XFS or Btrfs, where syncing anything
   * makes all names given before it sure.
   */
  constructor(root: string, before: Remains, journaledNames = false) {
    this.#root = root;
    this.#journaledNames = journaledNames;
    for (const [path, what] of before) {
      const node = what === "folder" ? folder() : Buffer.isBuffer(what) ? file(what) : file(EMPTY, what.linkTo);
      const above = this.#folderAt(dirname(join(root, path)));
      above.live.set(nameOf(path), node);
      above.synced.set(nameOf(path), node);
    }
  }

  apply(operation: DiskOperation): void {
    const { kind, path, endedAt } = operation;
    switch (kind) {
      case "create":
        if (this.#find(path) === undefined) this.#name(path, file(EMPTY), endedAt);
        return;
      case "symlink":
        this.#name(path, file(EMPTY, operation.target), endedAt);
        return;
      case "mkdir":
        this.#name(path, folder(), endedAt);
        return;
      case "remove":
        this.#change(path, { endedAt, removed: nameOf(path) });
        return;
      case "write":
      case "truncate":
        this.#write(path, operation);
        return;
      case "rename":
        this.#rename(operation.from, path, endedAt);
        return;
      case "link": {
        const node = this.#find(operation.from);
        if (node !== undefined) this.#name(path, node, endedAt);
        return;
      }
      case "sync": {
        const node = this.#find(path);
        if (node !== undefined) sync(node, operation.begunAt);
        if (this.#journaledNames) syncNames(this.#top, operation.begunAt);
        return;
      }
      default:
        kind satisfies never;
    }
  }

  /** What a program that reads now sees of a file. */
  read(path: string): Buffer | undefined {
    const node = this.#find(path);
    return node?.kind === "file" ? node.live : undefined;
  }

  /** What is found after the power came back. */
  after(survival: Survival): Remains {
    const found = new Map<string, Buffer | "folder" | { readonly linkTo: string }>();
    const contents = new Map<FileNode, Buffer>();
    const walk = (at: FolderNode, path: string) => {
      for (const [name, node] of namesAfter(at, survival)) {
        const place = join(path, name);
        if (node.kind === "folder") {
          found.set(place, "folder");
          walk(node, place);
        } else if (node.linkTo === undefined) {
          const bytes = contents.get(node) ?? bytesAfter(node, survival);
          contents.set(node, bytes); // one file under two names has one content
          found.set(place, bytes);
        } else found.set(place, { linkTo: node.linkTo });
      }
    };
    walk(this.#top, "");
    return found;
  }

  #write(path: string, { endedAt, ...change }: Extract<DiskOperation, { kind: "write" | "truncate" }>): void {
    const node = this.#find(path);
    if (node?.kind !== "file") return;
    const at = (offset: number | "end") => (offset === "end" ? node.live.length : offset);
    const what = change.kind === "write" ? { offset: at(change.offset), bytes: change.bytes } : { size: change.size };
    node.pending.push({ endedAt, ...what });
    node.live = changed(node.live, what);
  }

  #rename(from: string, to: string, endedAt: number): void {
    const node = this.#find(from);
    if (node === undefined) return;
    const added = [nameOf(to), node] as const;
    // Within one folder a name moves in one step or not at all.
    if (dirname(from) === dirname(to)) this.#change(to, { endedAt, removed: nameOf(from), added });
    else {
      this.#change(from, { endedAt, removed: nameOf(from) });
      this.#change(to, { endedAt, added });
    }
  }

  #name(path: string, node: Node, endedAt: number): void {
    this.#change(path, { endedAt, added: [nameOf(path), node] });
  }

  #change(path: string, change: FolderNode["pending"][number]): void {
    const above = this.#folderAt(dirname(path));
    above.pending.push(change);
    rename(above.live, change);
  }

  #folderAt(path: string): FolderNode {
    const node = this.#find(path);
    if (node?.kind !== "folder") throw new Error(`the recording names something in ${path}, which is not a folder`);
    return node;
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#top;
    for (const name of relative(this.#root, path).split("/")) {
      if (name === "") continue;
      node = node?.kind === "folder" ? node.live.get(name) : undefined;
    }
    return node;
  }
}

function folder(): FolderNode {
  return { kind: "folder", synced: new Map(), live: new Map(), pending: [] };
}

function file(bytes: Buffer, linkTo?: string): FileNode {
  return { kind: "file", linkTo, synced: bytes, live: bytes, pending: [] };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function changed(bytes: Buffer, change: Change): Buffer {
  if ("size" in change) return resized(bytes, change.size);
  const whole = resized(bytes, Math.max(bytes.length, change.offset + change.bytes.length));
  change.bytes.copy(whole, change.offset);
  return whole;
}

/** Always a copy; what is new is zero. */
function resized(bytes: Buffer, size: number): Buffer {
  const copy = Buffer.alloc(size);
  bytes.copy(copy);
  return copy;
}

function rename(names: Map<string, Node>, { removed, added }: Omit<FolderNode["pending"][number], "endedAt">): void {
  if (removed !== undefined) names.delete(removed);
  if (added !== undefined) names.set(...added);
}

function sync(node: Node, begunAt: number): void {
  const isSure = ({ endedAt }: Pending) => endedAt <= begunAt;
  if (node.kind === "file") {
    for (const change of node.pending.filter(isSure)) node.synced = changed(node.synced, change);
    node.pending = node.pending.filter((change) => !isSure(change));
  } else {
    for (const change of node.pending.filter(isSure)) rename(node.synced, change);
    node.pending = node.pending.filter((change) => !isSure(change));
  }
}

function syncNames(at: FolderNode, begunAt: number): void {
  sync(at, begunAt);
  for (const node of at.live.values()) if (node.kind === "folder") syncNames(node, begunAt);
}

function namesAfter(node: FolderNode, survival: Survival): ReadonlyMap<string, Node> {
  if (survival === "all" || survival === "names") return node.live;
  const names = new Map(node.synced);
  if (typeof survival === "function") {
    for (const change of node.pending) if (survival(2) === 1) rename(names, change);
  }
  return names;
}

/** The least that a disk writes at once. */
const SECTOR_BYTES = 512;

/** By chance: the first so many changes, whole, cut short anywhere, or with sectors missing: they are written in any order. */
function bytesAfter(node: FileNode, survival: Survival): Buffer {
  if (survival === "all" || survival === "contents") return node.live;
  if (typeof survival !== "function") return node.synced;
  let bytes = node.synced;
  for (const change of node.pending.slice(0, survival(node.pending.length + 1))) bytes = changed(bytes, change);
  const grown = bytes.length - node.synced.length;
  const fate = survival(3);
  if (fate === 0 || grown <= 0) return bytes;
  if (fate === 1) return bytes.subarray(0, bytes.length - survival(grown));
  const before = resized(node.synced, bytes.length);
  const after = resized(bytes, bytes.length);
  for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES);
    if (survival(2) === 0) before.copy(after, at, at, end);
  }
  return after;
}
