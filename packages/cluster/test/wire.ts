import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** What becomes of bytes on their way. */
export type Passage = (bytes: Buffer) => Buffer | Promise<Buffer>;

/** A wire between somebody and a Redis that can be cut and mended, and may do something to what passes. */
export class Wire {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  readonly #passage: Passage | undefined;
  #cut = false;
  port = 0;

  private constructor(target: number, passage: Passage | undefined) {
    this.#target = target;
    this.#passage = passage;
    this.#server = createServer((near) => this.#join(near));
  }

  static async to(target: number, passage?: Passage): Promise<Wire> {
    const wire = new Wire(target, passage);
    wire.#server.listen(0, "127.0.0.1");
    await once(wire.#server, "listening");
    const address = wire.#server.address();
    wire.port = typeof address === "object" && address !== null ? address.port : 0;
    return wire;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  #join(near: Socket): void {
    if (this.#cut) {
      near.destroy();
      return;
    }
    const far = connect(this.#target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      const passage = this.#passage;
      if (passage === undefined) one.pipe(other);
      else
        pipeline(
          one,
          (bytes) => carried(bytes, passage),
          other,
          () => {},
        );
    }
  }

  /** Ends every connection and refuses new ones. */
  cut(): void {
    this.#cut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#cut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
  }
}

async function* carried(source: AsyncIterable<Buffer>, passage: Passage): AsyncGenerator<Buffer> {
  for await (const bytes of source) yield await passage(bytes);
}
