import type { Instance } from "./instance.ts";
import { US_DAY } from "./us-day.ts";

/** Where a day's capacities come from, in words. */
export function capacityOrigin({ name, capacityFrom }: Instance): string {
  if (capacityFrom !== undefined) return capacityFrom;
  if (name.startsWith(US_DAY)) return "derived from the day's traffic, with assumed weather (docs/us-day.md)";
  return "as the file has them; it does not say where from";
}
