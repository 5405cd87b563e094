import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { cannotTrace, type Ended, recordWrites, tryCuts } from "@coppice/engine/power-cut";
import { type Attack, TollCount } from "../attack.ts";
import { commandLine, plainEnvironment, typed } from "../subject/command.ts";
import { answerOf, type ToolRun, toolRuns } from "../subject/tools.ts";

const NAMED = ["--id", "r", "--json", "--quiet"];

/**
 * Records every write of a tool's run, cuts the power after some of them in every way a disk may forget what was not
 * synced, and goes on with the run each time.
 */
async function cutPower(tool: ToolRun, cuts: number, place: string, draw: (name: string, count: number) => number) {
  mkdirSync(place);
  tool.inputs?.(place);
  const start = [...tool.args, ...NAMED];
  const recording = await recordWrites(place, { command: commandLine(...start), cwd: place, env: plainEnvironment() });
  if (recording.code !== 0) throw new Error(`${tool.tool} ended with ${recording.code}: ${recording.stderr}`);
  const go = async (args: readonly string[]): Promise<Ended> => {
    const { code, stdout, stderr } = await typed(place, args);
    return code === 0 ? { digest: answerOf(tool, stdout) } : { refused: stderr.trim() };
  };
  return tryCuts(
    recording,
    {
      directory: join(place, ".coppice", "runs", "r"),
      digest: answerOf(tool, recording.stdout),
      resume: () => go(["resume", "r", "--json", "--quiet"]),
      startAgain: () => go(start),
    },
    { chances: 1, most: cuts, draw },
  );
}

export const powerCuts: Attack = {
  name: "power cuts",
  summary: "the power goes at a write of a run, and the disk forgets what was not synced; every tool",
  except: "outcomes of the last 50 ms are evaluated again, unless --durable was given",
  share: 18,
  measures: ["lost", "repeated", "wrong"],
  impossible: cannotTrace,
  strike: async ({ faults, draw, place }) => {
    const count = new TollCount();
    for (const [index, tool] of toolRuns.entries()) {
      const part =
        Math.round(((index + 1) * faults) / toolRuns.length) - Math.round((index * faults) / toolRuns.length);
      if (part === 0) continue;
      const numbers = draw.at(tool.tool);
      const report = await cutPower(tool, part, join(place, String(index)), (name, sides) =>
        numbers.at(name).integer(0, sides - 1),
      );
      count.struck(report.cuts);
      for (const line of report.problems) count.harm(harmIn(line), `${tool.tool}, ${line}`);
    }
    return count.toll();
  },
};

function harmIn(problem: string) {
  if (problem.endsWith("was evaluated again")) return { repeated: 1 };
  return problem.endsWith("another digest") ? { wrong: 1 } : { lost: 1 };
}
