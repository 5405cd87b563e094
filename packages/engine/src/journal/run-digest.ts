import { createHash } from "node:crypto";
import { withoutAsides } from "../values/aside.ts";

const BATCH = 256;

/**
 * SHA-256 over `key, ok, encoded outcome` in tell order, without asides; lengths stand before texts, so that no two
 * sequences collide.
 */
export class RunDigest {
  readonly #hash = createHash("sha256");
  #pending: string[] = [];

  add(key: string, ok: boolean, encoded: string): void {
    const found = withoutAsides(encoded);
    this.#pending.push(`${key.length}:${key}${ok ? "+" : "-"}${found.length}:${found}\n`);
    if (this.#pending.length >= BATCH) this.#flush();
  }

  /** The digest of what was added so far; more may follow. */
  value(): string {
    this.#flush();
    return this.#hash.copy().digest("hex");
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    this.#hash.update(this.#pending.join(""), "utf8");
    this.#pending = [];
  }
}
