import { runChild } from "../child-process/run-child.ts";
import type { Task } from "../contract/evaluator.ts";
import { wrongValue } from "./answer-shape.ts";
import { candidateJson } from "./candidate-json.ts";
import { CommandFailed, commandName, endedInstead, LastLines, parseAnswer, wrongAnswer } from "./command-failed.ts";
import type { Workplace } from "./workplace.ts";

/** The candidate on standard input, the value on standard output, a process for each. */
export async function evaluateOnce(place: Workplace, candidate: unknown, task: Task): Promise<unknown> {
  const { command, maxAnswerBytes } = place.settings;
  const name = commandName(command);
  const text = `${candidateJson(candidate)}\n`;
  const stderr = new LastLines();
  const tooLong = new AbortController();
  const log = place.logFor(task);
  let printed = 0;
  const child = await runChild({
    ...place.request(),
    env: { ...place.environment, COPPICE_TASK_SEED: String(task.seed) },
    input: Buffer.from(text),
    limits: { outputBytes: maxAnswerBytes, graceMs: place.graceMs },
    untilOutputEnds: true,
    signal: AbortSignal.any([task.signal, tooLong.signal]),
    hear: (channel, bytes) => {
      if (channel === "stderr") {
        stderr.add(bytes);
        log(bytes);
      } else {
        printed += bytes.length;
        if (printed > maxAnswerBytes) tooLong.abort();
      }
    },
  });
  task.signal.throwIfAborted();
  if (printed > maxAnswerBytes) {
    throw new CommandFailed(`${name} printed more than ${maxAnswerBytes} bytes`, stderr.lines());
  }
  const answer = Buffer.from(child.stdout.bytes).toString("utf8");
  if (child.ending.kind !== "exited" || child.ending.code !== 0 || answer.trim() === "") {
    throw endedInstead(child, name, stderr.lines());
  }
  const value = parseAnswer(answer, name);
  const wrong = wrongValue(value, candidate, place.settings.answer);
  if (wrong !== undefined) throw wrongAnswer(answer, name, wrong);
  return value;
}
