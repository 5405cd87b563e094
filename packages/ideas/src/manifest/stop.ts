import { MACHINE_TROUBLE } from "../evaluate/machine-trouble.ts";
import type { SessionEnd } from "../run/tree-journal.ts";
import type { StopReason } from "../search/tree-state.ts";
import type { ManifestState } from "./manifest.ts";

/** How a session that was not done says why: a reason of ours, a colon, and the rest. */
export function stopMessage(reason: StopReason, detail: string): string {
  return `${reason}: ${detail}`;
}

const ours: readonly StopReason[] = ["max_wall_time_reached", "max_cost_reached"];

/** Why the last session ended, from what the journal says of it; null while it runs. */
export function stopOf(
  end: SessionEnd | undefined,
  searched: StopReason | undefined,
): Pick<ManifestState, "stop_reason" | "stop_reason_detail"> {
  if (end === undefined) return { stop_reason: null, stop_reason_detail: null };
  switch (end.event) {
    case "finished":
      return { stop_reason: searched ?? null, stop_reason_detail: null };
    case "interrupted":
    case "error":
      return { stop_reason: end.event, stop_reason_detail: end.message };
    case "stopped":
      return { stop_reason: stoppedBy(end.message), stop_reason_detail: end.message };
    default:
      return end satisfies never;
  }
}

function stoppedBy(message: string): ManifestState["stop_reason"] {
  const reason = ours.find((name) => message.startsWith(`${name}: `));
  if (reason !== undefined) return reason;
  if (message.includes(`failed: ${MACHINE_TROUBLE}: `)) return "error";
  if (/\(key "ideas\//.test(message)) return "idea_generation_failed";
  if (/\(key "eval\//.test(message)) return "strict_depth_failure";
  return "error";
}
