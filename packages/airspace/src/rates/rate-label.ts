/** A rate as the published histories name it: "inf", "18.0", "2.5". */
export function rateLabel(ratePerHour: number): string {
  if (ratePerHour === Number.POSITIVE_INFINITY) return "inf";
  return Number.isInteger(ratePerHour) ? `${ratePerHour}.0` : String(ratePerHour);
}
