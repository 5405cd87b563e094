import type { CouncilContext } from "@coppice/agents/council";
import { decode, type PreparedRun, type RunFile } from "@coppice/engine";
import { type CouncilRecord, planCouncil } from "./plan-council.ts";

/** Prepares a recorded council again, with the models it was held with. */
export async function rebuildCouncil({ options, context }: RunFile): Promise<PreparedRun> {
  // Casts: both were written by `council`.
  return planCouncil(options as CouncilRecord, (decode(context) as CouncilContext).consult) as PreparedRun;
}
