import { printable } from "@coppice/engine/printable";
import type { Consultation } from "../models/consultation.ts";
import { checkCitations } from "./citations.ts";
import { type DigestTask, partConsultation, reduceConsultation } from "./digest-prompts.ts";
import type { FileDigest } from "./digest-result.ts";
import type { DigestSetup } from "./digest-search.ts";
import { shorten, wordsIn } from "./shorten.ts";
import { fileParts, type SourceFile } from "./source-file.ts";

/** Takes what a model wrote and, if it is not whole, what is missing; or why it wrote nothing. */
type Answered = (text: string | Error, missing?: string) => void;
type Ask = (consultation: Consultation, answered: Answered) => void;

/** The way of one file to its summary: its parts, then summaries of summaries until one is left. */
export class FileReading {
  readonly path: string;
  readonly #setup: DigestSetup;
  readonly #source: SourceFile;
  readonly #known: string | undefined;
  readonly #ask: Ask;
  readonly #trouble: string[] = [];
  #parts = 0;
  #summary: string | undefined;
  over = false;

  constructor(setup: DigestSetup, source: SourceFile, known: string | undefined, ask: Ask) {
    this.path = source.path;
    this.#setup = setup;
    this.#source = source;
    this.#known = known;
    this.#ask = ask;
    if (source.state !== "read" || known !== undefined) {
      this.#summary = known;
      this.over = true;
      return;
    }
    const parts = fileParts(source.lines, setup.window);
    this.#parts = parts.length;
    this.#askAll(
      parts.map((part, i) => partConsultation(this.#task(), part, parts.length, i)),
      1,
    );
  }

  /** The summary as the model wrote it, if it was asked and every part was read. */
  get raw(): string | undefined {
    return this.#known === undefined && this.#trouble.length === 0 ? this.#summary : undefined;
  }

  digest(): FileDigest {
    const source = this.#source;
    const bare = {
      path: this.path,
      summary: "",
      linesOut: 0,
      words: 0,
      cut: false,
      citations: 0,
      removedCitations: [],
    };
    if (source.state !== "read") {
      return { ...bare, state: source.state, problem: source.problem, linesIn: 0, parts: 0, cached: false };
    }
    const shared = { linesIn: source.lines.length, parts: this.#parts, cached: this.#known !== undefined };
    const problem = this.#trouble.length === 0 ? {} : { problem: this.#trouble.join("; ") };
    if (this.#summary === undefined) return { ...bare, ...shared, state: "failed", problem: "not read", ...problem };
    const checked = checkCitations(printable(this.#summary), this.path, source.lines.length);
    const { text, cut } = shorten(checked.text, this.#setup.limits);
    return {
      path: this.path,
      state: "summarised",
      ...problem,
      summary: text,
      ...shared,
      linesOut: text === "" ? 0 : text.split("\n").length,
      words: wordsIn(text),
      cut,
      citations: checked.kept,
      removedCitations: checked.removed,
    };
  }

  /** Asks for several summaries and goes on when all are there. */
  #askAll(consultations: readonly Consultation[], level: number): void {
    const texts: (string | undefined)[] = consultations.map(() => undefined);
    let left = consultations.length;
    consultations.forEach((consultation, i) => {
      this.#ask(consultation, (text, missing = "") => {
        const trouble = text instanceof Error ? text.message : missing;
        if (trouble !== "")
          this.#trouble.push(consultations.length === 1 ? trouble : `${consultation.label}: ${trouble}`);
        if (!(text instanceof Error)) texts[i] = text;
        left--;
        if (left === 0)
          this.#combine(
            texts.filter((each) => each !== undefined),
            level,
          );
      });
    });
  }

  #combine(texts: readonly string[], level: number): void {
    if (texts.length <= 1) {
      this.#summary = texts[0];
      this.over = true;
      return;
    }
    // Parts answer within the limits a whole file has; anything longer would only push others out.
    const short = texts.map((text) => shorten(text, this.#setup.limits).text);
    const groups = inGroups(short, this.#setup.window);
    this.#askAll(
      groups.map((group, i) => reduceConsultation(this.#task(), group, `summary ${level}.${i + 1}`)),
      level + 1,
    );
  }

  #task(): DigestTask {
    const { question, model, tuning, limits } = this.#setup;
    return { path: this.path, question, request: { model, ...tuning }, limits };
  }
}

/** Neighbours that fit into one request together; at least two each, so that every level has fewer. */
function inGroups(texts: readonly string[], window: number): string[][] {
  const groups: string[][] = [];
  let size = 0;
  for (const text of texts) {
    const last = groups.at(-1);
    if (last === undefined || (last.length >= 2 && size + text.length > window)) {
      groups.push([text]);
      size = text.length;
    } else {
      last.push(text);
      size += text.length;
    }
  }
  return groups;
}
