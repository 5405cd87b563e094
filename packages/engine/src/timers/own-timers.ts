import type { TimerTotals } from "../contract/event.ts";
import { drainTimers, enableTimers, timersEnabled } from "./timed.ts";

/** Stands for the coordinator, where the search thinks, in events that name a worker. */
export const COORDINATOR = -1;

/** Switches this realm's timers on; what it returns gives what they collected and leaves them as they were. */
export function collectOwnTimers(): () => TimerTotals {
  const before = timersEnabled();
  enableTimers(true);
  return () => {
    const totals = drainTimers();
    enableTimers(before);
    return totals;
  };
}
