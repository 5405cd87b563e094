import { createHash, timingSafeEqual } from "node:crypto";
import { lstatSync, statSync } from "node:fs";

/**
 * Whom a path belongs to, if that is somebody who could have put anything there: neither us, nor root, nor the owner of the
 * directory we work in. In a folder where everybody may write, such as `/tmp`, anybody could have made what we look for.
 */
export function strangerOwning(path: string, directory: string): number | undefined {
  const uid = process.getuid?.();
  const owner = uid === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner === undefined || [uid, 0, statSync(directory).uid].includes(owner) ? undefined : owner;
}

/** Whether somebody knows a secret, in a time that does not depend on how much of it is right. */
export function isSecret(given: string, secret: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(secret));
}
