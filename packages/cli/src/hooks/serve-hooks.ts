import { UsageError } from "@coppice/engine/usage-error";
import { connectToDaemon, HooksDaemon, listenHttp, meetingPlace } from "@coppice/hooks";
import { print, printJsonLine } from "../print.ts";
import { endingSignals } from "../session/standard-streams.ts";

/** Options of `coppice hooks serve`. */
export interface ServeOptions {
  readonly http?: string | true;
  readonly stop?: boolean;
  readonly status?: boolean;
  readonly json?: boolean;
}

/** `coppice hooks serve`: keeps stages and module hooks warm until it is stopped. */
export async function serve(options: ServeOptions): Promise<number> {
  if (options.stop && options.status) throw new UsageError("--stop and --status: choose one");
  if ((options.stop || options.status) && options.http !== undefined)
    throw new UsageError(`--http is for starting a daemon: leave it out with ${options.stop ? "--stop" : "--status"}`);
  return options.stop || options.status ? await tellDaemon(options) : await runDaemon(options);
}

function say({ json }: ServeOptions, data: object, text: string): void {
  if (json) printJsonLine(data);
  else print(`${text}\n`);
}

async function tellDaemon(options: ServeOptions): Promise<number> {
  const stop = options.stop === true;
  const client = await connectToDaemon(meetingPlace(process.env));
  const pong = await client?.ping(stop ? "stop" : "ping");
  client?.close();
  const stopped = stop && pong !== undefined;
  const running = pong !== undefined && !stopped;
  const state = pong === undefined ? "not running" : `pid ${pong.pid}, ${pong.modules} modules loaded`;
  const data = { running, stopped, pid: pong?.pid ?? null, modules: pong?.modules ?? null };
  say(options, data, `${stopped ? "stopped: " : ""}${state}`);
  return options.status && pong === undefined ? 1 : 0;
}

async function runDaemon(options: ServeOptions): Promise<number> {
  const port = typeof options.http === "string" ? Number(/^\d+$/.exec(options.http)?.[0]) : 0;
  if (!(Number.isInteger(port) && port >= 0 && port < 65536))
    throw new UsageError(`--http ${options.http}: not a port, which is a whole number from 0 to 65535`);
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
  say(options, { pid: process.pid, socket, tokenFile, http: url ?? null }, lines.join("\n"));
  for (const signal of endingSignals) process.once(signal, () => void daemon.close());
  await daemon.ended;
  return 0;
}
