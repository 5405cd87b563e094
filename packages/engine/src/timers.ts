// For those who collect and show named timers themselves; what an evaluator needs of them is in /evaluator.
export type { TimerTotals } from "./contract/event.ts";
export { addTimerTotals, type TimerShare, timerShares } from "./timers/shares.ts";
export { drainTimers, enableTimers } from "./timers/timed.ts";
