import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Why there can be none here; undefined where there can. */
export function noRedisHere(): string | undefined {
  if (spawnSync("redis-server", ["--version"]).status === 0) return undefined;
  return "no redis-server (Debian and Ubuntu: apt-get install redis-server)";
}

/** A Redis of one's own, on a free port of this machine, without a disk; it ends with this process. */
export class PrivateRedis {
  readonly port: number;
  readonly #settings: readonly string[];
  readonly #directory = mkdtempSync(join(tmpdir(), "coppice-redis-"));
  #server: ChildProcess | undefined;

  constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
  }

  static async start(settings: readonly string[] = []): Promise<PrivateRedis> {
    const server = new PrivateRedis(await freePort(), settings);
    await server.begin();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Starts it, or starts it again, empty. */
  async begin(): Promise<void> {
    const settings = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const server = spawn("redis-server", [...settings, "--dir", this.#directory, ...this.#settings], {
      stdio: "ignore",
    });
    this.#server = server;
    server.on("error", () => {});
    const end = (): void => void server.kill("SIGKILL");
    process.once("exit", end);
    server.once("exit", () => process.off("exit", end));
    for (let tries = 0; tries < 300; tries++) {
      if (await answers(this.port)) return;
      await sleep(20);
    }
    throw new Error(`redis-server does not answer on port ${this.port}`);
  }

  /** Ends it at once, with everything it knew. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.kill("SIGKILL");
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Whether a Redis is there; one that wants a password first is. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write("PING\r\n");
    const [reply] = (await once(socket, "data")) as [Buffer];
    return /^(\+PONG|-NOAUTH)/.test(reply.toString());
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
