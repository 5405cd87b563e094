import { type CommandOptions, commandEvaluator } from "@coppice/engine/command";
import type { RunFile } from "@coppice/engine/records";
import { type CommandRecord, commandRecord, type PreparedRun, recordedCommand } from "@coppice/engine/session";
import { UsageError } from "@coppice/engine/usage-error";
import { type PlainParameters, readPlainSpace } from "@coppice/projections/space";
import { type BestPoint, type Configuration, spaceSearch } from "@coppice/search";
import { exitCode } from "../exit-code.ts";

/** What `run.json` keeps of a search over a space: all of it, so that the file may change or go. */
interface SpaceRecord {
  readonly space: PlainParameters;
  readonly evaluations: number;
  readonly command: CommandRecord;
}

/** Prepares `coppice run --space file --command …`: a search of our own, evaluated by a program. */
export function prepareSpace(path: string, command: CommandOptions, evaluations: number, seed: number) {
  const space = readPlainSpace(path);
  if (space.constraints !== undefined || space.parameters.some(({ when }) => when !== undefined)) {
    throw new UsageError(`${path} has conditions or constraints: search it with coppice tune --method auto`);
  }
  return prepared(space, command, evaluations, seed);
}

/** Prepares a recorded one again. */
export function rebuildSpace({ options, seed }: RunFile, directory: string): PreparedRun {
  // Casts: written by `record` below; who does not look at candidates and results takes any.
  const { space, evaluations, command } = options as SpaceRecord;
  return prepared(space, recordedCommand(command, directory), evaluations, seed) as unknown as PreparedRun;
}

function prepared(
  space: PlainParameters,
  command: CommandOptions,
  evaluations: number,
  seed: number,
): PreparedRun<Configuration, number, BestPoint> {
  const { parameters, objective, context } = space;
  return {
    tool: "space",
    record: (directory): SpaceRecord => ({ space, evaluations, command: commandRecord(command, directory) }),
    search: spaceSearch({ parameters, objective, evaluations, seed }),
    ...commandEvaluator({ ...command, context, answer: "number" }),
    exitCode: (end) => (end.state === "done" && end.result.best === null ? exitCode.failed : undefined),
    describe: ({ best, evaluations: tried, failed }) => {
      const without = failed === 0 ? "" : `, ${failed} without a value`;
      return best === null
        ? `no value in ${tried} points`
        : `${best.value} at ${JSON.stringify(best.point)}, the best of ${tried} points${without}`;
    },
  };
}
