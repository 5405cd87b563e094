import { UsageError } from "@coppice/engine/usage-error";
import { DaemonClient, DaemonProblem, HooksDaemon, listenHttp, meetingPlace, trustedToken } from "@coppice/hooks";

/** Options of `coppice hooks serve`. */
export interface ServeOptions {
  readonly http?: string | true;
  readonly stop?: boolean;
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks serve`: keeps settings, plans and module hooks warm until it is stopped. */
export async function serve(options: ServeOptions): Promise<number> {
  const place = meetingPlace(process.env);
  const say = (data: object, text: string): void => {
    process.stdout.write(`${options.json ? JSON.stringify(data) : text}\n`);
  };
  if (options.stop || options.status) {
    const token = trustedToken(place);
    const client = token === undefined ? undefined : await DaemonClient.open(place, token);
    const pong = await client?.ping();
    if (options.stop) await client?.stop();
    client?.close();
    const state = pong === undefined ? "not running" : `pid ${pong.pid}, ${pong.modules} modules loaded`;
    const stopped = options.stop === true && pong !== undefined;
    say(
      { running: pong !== undefined && !stopped, stopped, pid: pong?.pid ?? null, modules: pong?.modules ?? null },
      `${stopped ? "stopped: " : ""}${state}`,
    );
    return options.status && pong === undefined ? 1 : 0;
  }
  const port = options.http === undefined || options.http === true ? 0 : Number(options.http);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new UsageError(`--http ${options.http}: not a port`);
  const daemon = await start(place);
  const http = options.http === undefined ? undefined : await listenOver(daemon, port);
  const url = http === undefined ? undefined : `http://127.0.0.1:${http.port}/hooks/<Event>`;
  const { socket, tokenFile } = place;
  const lines = [`listening on ${socket} (mode 0600), pid ${process.pid}`];
  if (url !== undefined) lines.push(`and on ${url}, token in ${tokenFile}`);
  say({ pid: process.pid, socket, tokenFile, http: url ?? null }, lines.join("\n"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void daemon.close());
  await daemon.ended;
  return 0;
}

/** Also answers over HTTP; a port that is taken is the caller's to change. */
async function listenOver(daemon: HooksDaemon, port: number): Promise<{ readonly port: number }> {
  try {
    const http = await listenHttp(daemon, port, process.env);
    void daemon.ended.then(() => http.server.close());
    return http;
  } catch (error) {
    await daemon.close();
    throw new UsageError(`--http ${port}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function start(place: ReturnType<typeof meetingPlace>): Promise<HooksDaemon> {
  try {
    return await HooksDaemon.start(place);
  } catch (error) {
    if (error instanceof DaemonProblem) throw new UsageError(error.message);
    throw error;
  }
}
