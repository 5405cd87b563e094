import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A wire between somebody and a Redis that can be cut and mended. */
export class Wire {
  readonly #server: Server;
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #cut = false;
  port = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#join(near));
  }

  static async to(target: number): Promise<Wire> {
    const wire = new Wire(target);
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
      one.pipe(other);
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
