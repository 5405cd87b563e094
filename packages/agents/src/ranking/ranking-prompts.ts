import { dataBlock, dataRule } from "../consult/data-block.ts";
import { type Consultation, oneQuestion, type Tuning } from "../models/consultation.ts";

/** Somebody who answers, and judges the answers of all without knowing whose they are. */
export interface Member {
  /** A model, or a persona. */
  readonly name: string;
  readonly model: string;
  /** What it is told to be. */
  readonly instructions?: string;
}

/** An answer under the letter that a judge knows it by. */
export interface Lettered {
  readonly letter: string;
  readonly content: string;
}

export function answerConsultation(
  { name, model, instructions }: Member,
  question: string,
  tuning: Tuning,
): Consultation {
  return oneQuestion(`${name} answers`, { model, ...tuning }, instructions, question);
}

export function judgeConsultation(
  { name, model }: Member,
  question: string,
  answers: readonly Lettered[],
  tuning: Tuning,
): Consultation {
  const asked = [
    "Several people were asked this:",
    dataBlock("question", question),
    "Their answers follow. You do not know whose they are; one may be your own.",
    ...answers.map(({ letter, content }) => dataBlock(`Answer ${letter}`, content)),
    "Say of each answer in one or two sentences what is right and what is wrong with it: facts first, then whether it answers the question, then how clear it is. Then rank all of them, the best first, and end with exactly this:",
    `RANKING:\n${answers.map((_, i) => `${i + 1}. Answer <letter>`).join("\n")}`,
  ];
  return oneQuestion(`${name} judges`, { model, ...tuning }, dataRule, asked.join("\n\n"));
}

export function chairConsultation(
  model: string,
  question: string,
  ranked: readonly { readonly content: string; readonly averageRank: number | null }[],
  tuning: Tuning,
): Consultation {
  const asked = [
    "Several people were asked this:",
    dataBlock("question", question),
    "Their answers follow, the one they ranked best first. They judged without knowing whose answer was whose.",
    ...ranked.map(({ content, averageRank }, i) =>
      dataBlock(`Answer ${i + 1}${averageRank === null ? "" : `, average rank ${averageRank.toFixed(1)}`}`, content),
    ),
    "Give the best answer that can be made of these: keep what they agree on where it is right, decide where they differ and say why, and add nothing that none of them supports unless it is needed. Answer the question itself; do not describe the answers.",
  ];
  return oneQuestion("chair", { model, ...tuning }, dataRule, asked.join("\n\n"));
}

/** The letters of a ranking, best first; undefined unless every answer is in it exactly once. */
export function readRanking(text: string, letters: readonly string[]): string[] | undefined {
  const at = text.toUpperCase().lastIndexOf("RANKING:");
  if (at < 0) return undefined;
  const found = [...text.slice(at).matchAll(/\bAnswer\s+<?([A-Z]{1,2})>?\b/gi)].map(([, letter]) =>
    letter.toUpperCase(),
  );
  const order = [...new Set(found)].filter((letter) => letters.includes(letter));
  return order.length === letters.length ? order : undefined;
}
