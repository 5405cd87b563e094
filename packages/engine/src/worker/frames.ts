import { deserialize, serialize } from "node:v8";

const HEADER_BYTES = 4;

/** A message as bytes for a pipe: its length (little-endian), then the structured clone. */
export function frame(message: unknown): Buffer {
  const body = serialize(message);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  bytes.writeUInt32LE(body.length, 0);
  body.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** Puts the pieces a pipe delivers together again; calls back once per complete message. */
export class FrameReader {
  readonly #receive: (message: unknown) => void;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #wanted = HEADER_BYTES;

  constructor(receive: (message: unknown) => void) {
    this.#receive = receive;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    // Joining only when a whole message is there keeps large ones linear.
    if (this.#bytes < this.#wanted) return;
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#bytes);
    let at = 0;
    this.#wanted = HEADER_BYTES;
    while (bytes.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + bytes.readUInt32LE(at);
      if (end > bytes.length) {
        this.#wanted = end - at;
        break;
      }
      this.#receive(deserialize(bytes.subarray(at + HEADER_BYTES, end)));
      at = end;
    }
    this.#pieces = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#bytes = bytes.length - at;
  }
}
