import { dataBlock, dataRule } from "../consult/data-block.ts";
import { type Consultation, oneQuestion, type RequestBase } from "../models/consultation.ts";
import type { SummaryLimits } from "./shorten.ts";
import type { FilePart } from "./source-file.ts";

export interface DigestTask {
  readonly path: string;
  readonly question: string;
  readonly request: RequestBase;
  readonly limits: SummaryLimits;
}

/** Asks for the summary of a whole file, or of one part of it. */
export function partConsultation(task: DigestTask, part: FilePart, parts: number, index: number): Consultation {
  const place = parts === 1 ? "" : ` (part ${index + 1} of ${parts}: lines ${part.from} to ${part.to})`;
  return oneQuestion(
    `${task.path}${parts === 1 ? "" : ` ${index + 1}/${parts}`}`,
    task.request,
    instructions(task.limits),
    `Question: ${task.question}\n\nThe file${place}, each line behind its number:\n\n${dataBlock(task.path, part.text)}`,
  );
}

/** Asks for one summary of a file from those of its parts. */
export function reduceConsultation(task: DigestTask, summaries: readonly string[], name: string): Consultation {
  const blocks = summaries.map((summary, i) => dataBlock(`${task.path} summary ${i + 1}`, summary)).join("\n\n");
  return oneQuestion(
    `${task.path} ${name}`,
    task.request,
    instructions(task.limits),
    `Question: ${task.question}\n\nThe file was read in parts. Make one summary of the file ${JSON.stringify(task.path)} from those of its parts; keep their citations as they are:\n\n${blocks}`,
  );
}

function instructions({ maxLines, maxWords }: SummaryLimits): string {
  return `You read one file for somebody who will not read it, and answer one question about it.
Write at most ${maxWords} words on at most ${maxLines} lines: first the answer, then what else in the file bears on it. If the file has nothing to say on the question, say so in one line and what it is instead.
Support every claim with the place it comes from, written path:line (or path:first-last), with the file's path as it is given and the line numbers that stand before its lines. Cite nothing else. No headings, no quotes longer than a line, no introduction.

${dataRule}`;
}
