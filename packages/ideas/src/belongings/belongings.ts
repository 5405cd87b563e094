import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory, writeDurably } from "@coppice/engine/files";

/** Something in the world outside the run's own files that the run made and must see to. */
export type Belonging =
  | { readonly kind: "worktree"; readonly path: string }
  /** A branch that has been moved since is somebody else's. */
  | { readonly kind: "branch"; readonly branch: string; readonly commit: string }
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "process";
      readonly pid: number;
      readonly pidStart: string;
      /** Mark that it and everything it starts carry in their environment. */
      readonly mark: string;
      readonly step: string;
    };

/** A belonging as the run's record has it. */
export interface Recorded {
  readonly name: string;
  readonly thing: Belonging;
  /** Whose it is: `e0007` or `n0002`. */
  readonly owner: string;
  /** `result`: stays until the run is cleaned. `work`: nobody needs it once its owner has ended. */
  readonly stays: "result" | "work";
  /** Why it could not be removed when it should have been. */
  readonly deferred?: string;
}

const FOLDER = "belongings";

/**
 * What a run has made, one small file per thing: written before the thing is made and removed after it is gone, so that
 * whatever a crash leaves behind is on record. Safe for any number of writers.
 */
export class Belongings {
  readonly #folder: string;

  constructor(runDirectory: string) {
    this.#folder = join(runDirectory, FOLDER);
  }

  /** Says that the thing is about to be made. Saying it again replaces what was said. */
  claim(thing: Belonging, owner: string, stays: "result" | "work" = "work"): Recorded {
    const recorded: Recorded = { name: nameOf(thing, owner), thing, owner, stays };
    this.#write(recorded);
    return recorded;
  }

  /** The thing is gone. */
  release({ name }: Pick<Recorded, "name">): void {
    rmSync(this.#file(name), { force: true });
  }

  /** The thing should be gone but is not: the next start tries again. Where nothing can be written, it stays on record as it was. */
  defer(recorded: Recorded, reason: string): void {
    try {
      this.#write({ ...recorded, stays: "work", deferred: reason });
    } catch {
      // A full disk is what cleaning up is for: it must not end it.
    }
  }

  /** Everything on record, in order of name. */
  list(): Recorded[] {
    return this.#read(namesIn(this.#folder));
  }

  /** What one owner has. */
  of(owner: string): Recorded[] {
    const own = (file: string) => file.endsWith(`-${owner}.json`) || file.startsWith(`process-${owner}-`);
    return this.#read(namesIn(this.#folder).filter(own));
  }

  #read(files: readonly string[]): Recorded[] {
    return files.flatMap((file) => {
      const recorded = read(join(this.#folder, file));
      return recorded === undefined ? [] : [recorded];
    });
  }

  #write(recorded: Recorded): void {
    makeDirectory(this.#folder);
    writeDurably(this.#file(recorded.name), `${JSON.stringify(recorded)}\n`);
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}

function nameOf(thing: Belonging, owner: string): string {
  return thing.kind === "process" ? `process-${owner}-${thing.mark}` : `${thing.kind}-${owner}`;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

/** A file that vanishes under the reader has been released; one that is torn was never claimed (drafts are renamed). */
function read(path: string): Recorded | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Recorded;
  } catch {
    return undefined;
  }
}
