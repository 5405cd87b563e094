import { connectToDaemon, daemonSeemsThere, meetingPlace } from "../daemon/meeting-place.ts";
import type { ModuleHost } from "../daemon/module-host.ts";
import { GONE } from "../daemon/protocol.ts";
import type { Merged } from "../merge/merge-answers.ts";
import type { StagingCache } from "../staging/staging-cache.ts";
import type { EventInput } from "./event-input.ts";

/** What a process that answers many events keeps between them. */
interface Warm {
  readonly host: ModuleHost;
  readonly stagings: StagingCache;
}

/** One event to be answered. */
export interface EventCall {
  readonly event: string;
  readonly input: EventInput;
  readonly env: NodeJS.ProcessEnv;
  /** Where the caller stands; used when the input does not say. */
  readonly cwd: string;
  readonly project?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly serial: boolean;
  readonly signal: AbortSignal;
  /**
   * Who keeps stagings and module hooks warm: the daemon if it is there, nobody, this process, or a daemon that ended
   * while it ran this event, and whose hooks have failed.
   */
  readonly daemon: "ask" | "none" | "lost" | Warm;
  /** Whether the caller can tell a block by an exit code; over HTTP there is none. */
  readonly exitCodes: boolean;
}

/** What the agent is told; `record` writes the timing down, after the answer was given. */
export interface AnsweredEvent {
  readonly merged: Merged;
  readonly record: () => void;
}

/** Runs an event's hooks and returns the one answer; throws {@link UsageError} when no settings can be read. */
export async function answerEvent(call: EventCall): Promise<AnsweredEvent> {
  if (call.daemon === "lost") {
    const { answerHere } = await import("./answer-here.ts");
    return await answerHere(call, undefined, { callModule: async () => GONE });
  }
  const asked = call.daemon === "ask" ? await askDaemon(call) : undefined;
  try {
    if (asked?.said?.kind === "answered") return { merged: asked.said.merged, record: () => {} };
    const { answerHere } = await import("./answer-here.ts");
    return await answerHere(call, asked?.said?.staged, asked?.daemon);
  } finally {
    asked?.daemon.close();
  }
}

/** More than this is not sent to the daemon: events with hooks that are modules are rarely larger, and reading it takes time. */
const MOST_TOLD_BYTES = 1024 * 1024;

/** What the daemon makes of an event; undefined when there is none, or one of which nothing more is to be expected. */
async function askDaemon(call: EventCall) {
  const place = meetingPlace(call.env);
  if (!daemonSeemsThere(place) || call.input.bytes.length > MOST_TOLD_BYTES) return undefined;
  const daemon = await connectToDaemon(place);
  const { event, cwd, env, project, concurrency, serial } = call;
  const input = Buffer.from(call.input.bytes).toString("utf8");
  const said = await daemon?.answer({ event, input, cwd, env, project, concurrency, serial }, call.signal);
  if (daemon !== undefined && said !== undefined) return { daemon, said: said === "lost" ? undefined : said };
  daemon?.close();
  return undefined;
}
