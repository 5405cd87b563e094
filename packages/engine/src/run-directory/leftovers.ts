import { hostname } from "node:os";
import { endLimitMarked } from "../child-process/limit-mark.ts";
import { endMarkedProcesses } from "../child-process/marked-processes.ts";
import { processPlace } from "../child-process/process-place.ts";
import { endProcess } from "../child-process/send-signal.ts";
import type { History, Session } from "../journal/history.ts";
import { isOriginal } from "./directory-identity.ts";

/** A task that an earlier session started and did not finish, and what became of its worker. */
export interface Unfinished {
  readonly ask: number;
  readonly reason: string;
}

/**
 * Ends processes of earlier sessions that still live, and says of each unfinished task what became of its worker. Those of
 * a run that this one was copied from are left alone, and a number is never looked up where it means another process.
 */
export function endLeftovers(journal: string, history: History): Unfinished[] {
  const copied = new Set(history.sessions.filter((session) => !isOriginal(journal, session)));
  for (const session of history.sessions) {
    if (copied.has(session) || !onThisMachine(session)) continue;
    endMarkedProcesses(session.runToken);
    endLimitMarked(session.runToken);
  }
  const fates = new Map<string, string>();
  return [...history.unfinished].map(([ask, { pid, pidStart, host, session }]) => {
    const worker = `${pid} ${pidStart} ${host}`;
    let fate = fates.get(worker);
    if (fate === undefined) {
      if (session !== undefined && copied.has(session)) fate = "it was under way when the run was copied";
      else if (!onThisMachine({ host })) fate = `its worker (pid ${pid} on ${host}) was on another machine`;
      else if (!numbersMeanTheSame(session, host)) fate = `its worker (pid ${pid}) was in another container`;
      else if (endProcess(pid, pidStart)) fate = `its worker (pid ${pid}) was still running and has been ended`;
      else fate = `its worker (pid ${pid}) is gone`;
      fates.set(worker, fate);
    }
    return { ask, reason: fate };
  });
}

function onThisMachine({ host }: { readonly host?: string | undefined }): boolean {
  return host === undefined || host === hostname();
}

/** A worker on its session's own machine was in its session's place. */
function numbersMeanTheSame(session: Session | undefined, host: string | undefined): boolean {
  return session?.place === undefined || session.host !== host || session.place === processPlace();
}
