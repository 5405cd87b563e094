import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const PIECE_BYTES = 256 * 1024;

/** SHA-256 of a file in hex, or of so many bytes of it; read in pieces, because data may be larger than memory. */
export function fileHash(path: string, bytes = Number.POSITIVE_INFINITY): string {
  const digest = createHash("sha256");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = openSync(path, "r");
  try {
    for (let left = bytes; left > 0; ) {
      const read = readSync(file, piece, 0, Math.min(PIECE_BYTES, left), null);
      if (read === 0) break;
      digest.update(piece.subarray(0, read));
      left -= read;
    }
  } finally {
    closeSync(file);
  }
  return digest.digest("hex");
}
