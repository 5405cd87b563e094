// Who wants to enter a volume in a window, with the delays so far.
import { mergeIn, sort } from "./arrivals";
import { inSet, listed } from "./changed-flights";
import * as columns from "./columns";
import { ARRIVAL, ARRIVAL_FLIGHT, byte, FLOW_BIT, firstFrom, joining, late, MINUTE, VISIT, VISIT_COUNT, VISITS } from "./columns";

/**
 * Fills `joining` with the flights of a window and of some flows, sorted, but not with those of an excepted window and flows;
 * returns how many. Nobody is delayed `before` by more than `longest`: who would come earlier than that is not looked at.
 */
export function gather(
  from: f64,
  to: f64,
  flows: i32,
  volume: usize,
  before: usize,
  longest: i32,
  exceptFrom: f64,
  exceptTo: f64,
  exceptFlows: i32,
): i32 {
  let first = from;
  let last = to;
  if (exceptFrom < exceptTo && (flows & ~exceptFlows) == 0) {
    first = from < exceptFrom ? from : max(from, exceptTo);
    last = to > exceptTo ? to : min(to, exceptFrom);
  }
  if (first >= last) return 0;
  const inside = from >= exceptFrom && to <= exceptTo;
  const wanted = inside ? flows & ~exceptFlows : flows;
  const visits = load<usize>(volume, VISITS);
  const count = load<i32>(volume, VISIT_COUNT);
  const latest = listed == 0 ? longest : columns.mostDelay;
  const end = firstFrom(visits, count, VISIT, last);
  let candidate = columns.candidates;
  for (let visit = firstFrom(visits, count, VISIT, first - <f64>latest); visit < end; visit += VISIT) {
    // Counted without a branch, which would be guessed wrong.
    store<usize>(candidate, visit);
    candidate += select<usize>(4, 0, (load<i32>(visit, FLOW_BIT) & wanted) != 0);
  }
  let onTime = joining;
  let delayed = late;
  for (let each = columns.candidates; each < candidate; each += 4) {
    const visit = load<usize>(each);
    const f = load<i32>(visit, ARRIVAL_FLIGHT);
    const delay = byte(select(columns.now, before, inSet(f)), f);
    const minute = load<f64>(visit, MINUTE) + <f64>delay;
    if (minute < first || minute >= last) continue;
    if (minute >= exceptFrom && minute < exceptTo && (load<i32>(visit, FLOW_BIT) & exceptFlows) != 0) continue;
    const isLate = delay != 0;
    const at = select(delayed, onTime, isLate);
    store<f64>(at, minute, MINUTE);
    store<i32>(at, f, ARRIVAL_FLIGHT);
    delayed += select<usize>(ARRIVAL, 0, isLate);
    onTime += select<usize>(0, ARRIVAL, isLate);
  }
  // Flights without delay are sorted already; the others are sorted by themselves and merged in.
  const onTimeCount = <i32>((onTime - joining) / ARRIVAL);
  const lateCount = <i32>((delayed - late) / ARRIVAL);
  if (lateCount > 0) {
    sort(late, lateCount, first, last);
    mergeIn(joining, onTimeCount, late, lateCount);
  }
  return onTimeCount + lateCount;
}
