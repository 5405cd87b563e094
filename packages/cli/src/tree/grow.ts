import { ReplayMismatch, type RunEnd, SearchError } from "@coppice/engine";
import { dryRunEvaluator, type GrownTree, growTree, type TreeOnDisk, treeEvaluator } from "@coppice/ideas";
import { openDisplay } from "../display/display.ts";
import { exitCode } from "../exit-code.ts";
import { PatientDisplay } from "../session/patient-display.ts";
import { interruptOnSignal } from "../session/signals.ts";

/** Grows a tree and shows it live; the exit code is for the command to set. */
export async function growLive(
  tree: TreeOnDisk,
  options: { readonly resume: boolean; readonly quiet: boolean },
): Promise<GrownTree> {
  const { quiet, resume } = options;
  const { settings } = tree;
  const display = new PatientDisplay(() => openDisplay({ terminal: process.stderr, quiet, environment: process.env }));
  let stopListening = () => {};
  try {
    const grown = await growTree({
      tree,
      resume,
      evaluator: settings.shape.dryRun ? dryRunEvaluator : treeEvaluator,
      onRun: (run) => {
        stopListening = interruptOnSignal(run.interrupt);
        run.subscribe((event) => display.see(event));
      },
    });
    await display.close();
    return grown;
  } catch (error) {
    display.giveUp();
    if (error instanceof ReplayMismatch || error instanceof SearchError) throw new Error(error.message);
    throw error;
  } finally {
    stopListening();
  }
}

/** A budget that is spent is a good end; a failure or an interruption is not. */
export function exitCodeOfEnd(end: RunEnd, stopReason: string | null): number {
  if (end.state === "done") return exitCode.done;
  if (end.state === "interrupted") return end.message.includes("SIGTERM") ? 143 : exitCode.interrupted;
  return stopReason === "max_wall_time_reached" || stopReason === "max_cost_reached" ? exitCode.done : exitCode.failed;
}
