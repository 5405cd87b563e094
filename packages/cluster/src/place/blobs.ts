import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { RunNames } from "./redis-keys.ts";

/** Redis keeps a piece in one string; larger ones would hold up everybody else while they travel. */
const PIECE_BYTES = 4 * 1024 * 1024;

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Whether a text can be the hash of something. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Puts bytes where everybody who works for the run can fetch them; returns their SHA-256, which is their name. */
export async function putBlob(redis: Redis, names: RunNames, bytes: Buffer): Promise<string> {
  const hash = hashOf(bytes);
  const key = names.blob(hash);
  await redis.sadd(names.blobs, hash);
  // Whole or not at all: made under another name.
  const making = `${key}.${process.pid}.${process.hrtime.bigint()}`;
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE_BYTES) {
    await redis.rpush(making, bytes.subarray(at, at + PIECE_BYTES));
  }
  await redis.rename(making, key);
  return hash;
}

/** Fetches bytes by their hash; undefined when they are not there. What is there but wrong is an error. */
export async function getBlob(redis: Redis, names: RunNames, hash: string): Promise<Buffer | undefined> {
  const key = names.blob(hash);
  const count = await redis.llen(key);
  if (count === 0) return undefined;
  const pieces: Buffer[] = [];
  for (let i = 0; i < count; i++) {
    const piece = await redis.lindexBuffer(key, i);
    if (piece === null) return undefined;
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  const found = hashOf(bytes);
  if (found !== hash) throw new WrongBlob(hash, found);
  return bytes;
}

/** Somebody has put something else under that name, or it was damaged. */
class WrongBlob extends Error {
  override readonly name = "WrongBlob";

  constructor(wanted: string, found: string) {
    super(`what is kept as ${wanted.slice(0, 16)} has the hash ${found.slice(0, 16)}: it was changed in Redis`);
  }
}

/** Removes what went by reference and has arrived. */
export async function dropBlob(redis: Redis, names: RunNames, hash: string): Promise<void> {
  await redis.multi().unlink(names.blob(hash)).srem(names.blobs, hash).exec();
}
