import { UsageError } from "@coppice/engine/usage-error";
import { connectToDaemon, HooksDaemon, listenHttp, meetingPlace } from "@coppice/hooks";

/** Options of `coppice hooks serve`. */
export interface ServeOptions {
  readonly http?: string | true;
  readonly stop?: boolean;
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks serve`: keeps settings, stagings and module hooks warm until it is stopped. */
export async function serve(options: ServeOptions): Promise<number> {
  const say = (data: object, text: string): void => {
    process.stdout.write(`${options.json ? JSON.stringify(data) : text}\n`);
  };
  return options.stop || options.status ? await tellDaemon(options, say) : await runDaemon(options, say);
}

type Say = (data: object, text: string) => void;

async function tellDaemon({ stop = false, status = false }: ServeOptions, say: Say): Promise<number> {
  const client = await connectToDaemon(meetingPlace(process.env));
  const pong = await client?.ping(stop ? "stop" : "ping");
  client?.close();
  const stopped = stop && pong !== undefined;
  const running = pong !== undefined && !stopped;
  const state = pong === undefined ? "not running" : `pid ${pong.pid}, ${pong.modules} modules loaded`;
  say(
    { running, stopped, pid: pong?.pid ?? null, modules: pong?.modules ?? null },
    `${stopped ? "stopped: " : ""}${state}`,
  );
  return status && pong === undefined ? 1 : 0;
}

async function runDaemon(options: ServeOptions, say: Say): Promise<number> {
  const port = options.http === undefined || options.http === true ? 0 : Number(options.http);
  if (!(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new UsageError(`--http ${options.http}: not a port`);
  const place = meetingPlace(process.env);
  const { socket, tokenFile } = place;
  const daemon = await HooksDaemon.start(place);
  const lines = [`listening on ${socket} (mode 0600), pid ${process.pid}`];
  let url: string | undefined;
  if (options.http !== undefined) {
    const http = await listenHttp(daemon, port, process.env);
    url = `http://127.0.0.1:${http.port}/hooks/<Event>`;
    lines.push(`and on ${url}, token in ${tokenFile}`);
  }
  say({ pid: process.pid, socket, tokenFile, http: url ?? null }, lines.join("\n"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void daemon.close());
  await daemon.ended;
  return 0;
}
