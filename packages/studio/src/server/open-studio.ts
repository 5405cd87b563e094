import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { UsageError } from "@coppice/engine/usage-error";
import { createAdaptorServer } from "@hono/node-server";
import type { CommandLine } from "../actions/jobs.ts";
import { pageBundle } from "../page/page-bundle.ts";
import { routes } from "./routes.ts";
import { Studio } from "./studio.ts";

/** What a studio shows, and to whom. */
export interface StudioOptions {
  /** Folders of runs. */
  readonly places: readonly string[];
  /** 0 or absent: any free one. */
  readonly port?: number;
  /** An address of this machine; only it can reach the studio unless said otherwise. */
  readonly host?: string;
  /** Without: whoever can reach the address may look, but not act. Refused for an address that others reach. */
  readonly auth?: boolean;
  readonly command: CommandLine;
  /** The project whose hooks are shown; the current folder if absent. */
  readonly project?: string;
}

/** A studio that is open. */
export interface OpenStudio {
  /** What to open in a browser, token included. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** Opens the page of runs on this machine; nothing is written into a run, and nobody else is asked for anything. */
export async function openStudio({
  places,
  port = 0,
  host = "127.0.0.1",
  auth = true,
  command,
  project = process.cwd(),
}: StudioOptions): Promise<OpenStudio> {
  if (host.trim() === "") throw new UsageError(`--host is empty: name an address of this machine, such as 127.0.0.1`);
  if (!auth && !LOOPBACK.includes(host)) {
    throw new UsageError(
      `without a token the studio is open to this machine only: leave --no-auth out, or --host ${host}`,
    );
  }
  const page = await pageBundle();
  const studio = new Studio(places, command, project, auth);
  const token = auth ? randomBytes(24).toString("base64url") : undefined;
  let hosts: readonly string[] = [];
  const app = routes(studio, page, { token, hosts: () => hosts });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((opened, failed) => {
    server.once("error", (error: NodeJS.ErrnoException) => failed(new UsageError(unopened(error, host, port))));
    server.listen(port, host, opened);
  });
  const bound = (server.address() as AddressInfo).port;
  const names = namesOf(host);
  hosts = names.map((name) => `${name}:${bound}`);
  return {
    url: `http://${names[0]}:${bound}/${token === undefined ? "" : `?token=${token}`}`,
    close: async () => {
      studio.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

/** What the machine may be called in a request, the best to print first. */
function namesOf(host: string): readonly string[] {
  const own = ["localhost", "127.0.0.1", "[::1]"];
  const written = (address: string) => (address.includes(":") ? `[${address}]` : address);
  if (LOOPBACK.includes(host)) return [written(host), ...own];
  if (!EVERY_ADDRESS.includes(host)) return [written(host)];
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return [...all.filter(({ internal }) => !internal).map(({ address }) => written(address)), ...own, hostname()];
}

function unopened({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} of ${host} is taken: choose another --port, or none for any free one`;
  if (code === "EACCES") return `port ${port} needs more rights: choose one from 1024`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `${host} is not an address of this machine`;
  return `cannot open port ${port} of ${host}: ${message}`;
}
