import {
  DaemonClient,
  DaemonProblem,
  HooksDaemon,
  listenHttp,
  meetingPlace,
  trustedToken,
} from "@coppice/agents/hooks";
import { UsageError } from "./project.ts";

/** Options of `coppice hooks serve`. */
export interface ServeOptions {
  readonly http?: string | true;
  readonly stop?: boolean;
  readonly status?: boolean;
}

/** `coppice hooks serve`: keeps module hooks warm until it is stopped. */
export async function serve(options: ServeOptions): Promise<number> {
  const place = meetingPlace(process.env);
  if (options.stop || options.status) {
    const token = trustedToken(place);
    const client = token === undefined ? undefined : await DaemonClient.open(place, token);
    const pong = await client?.ping();
    if (options.stop) await client?.stop();
    client?.close();
    const state = pong === undefined ? "not running" : `pid ${pong.pid}, ${pong.modules} modules loaded`;
    process.stdout.write(`${options.stop && pong !== undefined ? "stopped: " : ""}${state}\n`);
    return options.status && pong === undefined ? 1 : 0;
  }
  const port = options.http === undefined || options.http === true ? 0 : Number(options.http);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new UsageError(`--http ${options.http}: not a port`);
  const daemon = await start(place);
  process.stdout.write(`listening on ${place.socket} (mode 0600), pid ${process.pid}\n`);
  if (options.http !== undefined) {
    const http = await listenHttp(daemon, port, process.env);
    void daemon.ended.then(() => http.server.close());
    process.stdout.write(`and on http://127.0.0.1:${http.port}/hooks/<Event>, token in ${place.tokenFile}\n`);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void daemon.close());
  await daemon.ended;
  return 0;
}

async function start(place: ReturnType<typeof meetingPlace>): Promise<HooksDaemon> {
  try {
    return await HooksDaemon.start(place);
  } catch (error) {
    if (error instanceof DaemonProblem) throw new UsageError(error.message);
    throw error;
  }
}
