// For those who collect and show named timers themselves; what an evaluator needs of them is in /evaluator.
export type { TimerTotals } from "../contract/event.ts";
export { addTimerTotals, type TimerShare, timerShares } from "./shares.ts";
export { drainTimers, enableTimers } from "./timed.ts";
