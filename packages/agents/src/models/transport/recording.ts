import { appendFileSync, statSync } from "node:fs";
import { UsageError } from "@coppice/engine/usage-error";
import { parsedJson } from "@coppice/engine/values";
import { z } from "zod";
import { type ModelAnswer, ModelError, type ModelRequest, modelTroubles, unfinished } from "../consultation.ts";
import { givenText } from "../given-file.ts";

const line = z.object({
  key: z.string(),
  // In the order of a fresh answer, so that both are encoded alike.
  answer: z
    .object({
      content: z.string(),
      reasoning: z.string(),
      unfinished: z.enum(unfinished).exactOptional(),
      usage: z.object({ promptTokens: z.number(), answerTokens: z.number() }).exactOptional(),
      cost: z.number().exactOptional(),
      estimated: z.literal(true).exactOptional(),
      ms: z.number(),
    })
    .optional(),
  failure: z.object({ type: z.enum(modelTroubles), message: z.string() }).optional(),
});

type Line = z.infer<typeof line>;

/** Writes every answer (and every failure) to a file, one JSON object per line, with the request it belongs to. */
export class Recorder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
      throw new UsageError(`cannot write the recording ${path}: it is not a regular file`);
    }
    try {
      appendFileSync(path, "", { mode: 0o600 });
    } catch (error) {
      throw new UsageError(`cannot write the recording ${path} (${(error as NodeJS.ErrnoException).code})`);
    }
    const [first] = givenText(path, `recording ${path}`).split("\n", 1);
    if (first !== "" && !line.safeParse(parsedJson(first)).success) {
      throw new UsageError(`cannot write the recording ${path}: something else is in it; name a new file`);
    }
  }

  answered(key: string, request: ModelRequest, answer: ModelAnswer): void {
    this.#write({ key, request, answer });
  }

  failed(key: string, request: ModelRequest, { name, message }: ModelError): void {
    this.#write({ key, request, failure: { type: name, message } });
  }

  #write(entry: Line & { request: ModelRequest }): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }
}

/** Answers from a recording, at once and without a network; the last line of a key counts. */
export function recordingIn(path: string): (key: string) => ModelAnswer {
  const lines = readLines(path);
  return (key) => {
    const found = lines.get(key);
    if (found?.answer !== undefined) return found.answer;
    if (found?.failure !== undefined) throw new ModelError(found.failure.type, found.failure.message);
    throw new ModelError("NotRecorded", `the recording ${path} has no answer to ${JSON.stringify(key)}`);
  };
}

function readLines(path: string): Map<string, Line> {
  const lines = new Map<string, Line>();
  for (const [index, json] of givenText(path, `recording ${path}`).split("\n").entries()) {
    if (json.trim() === "") continue;
    const checked = line.safeParse(parsedJson(json));
    if (!checked.success) throw new UsageError(`${path}:${index + 1} is not a line of a recording`);
    lines.set(checked.data.key, checked.data);
  }
  return lines;
}
