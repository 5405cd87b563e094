import type { Writable } from "node:stream";
import { type EndedChild, runChild } from "../child-process/run-child.ts";
import { isObject } from "../values/plain-json.ts";
import {
  CommandFailed,
  commandName,
  endedInstead,
  LastLines,
  oneLine,
  parseAnswer,
  wrongAnswer,
} from "./command-failed.ts";
import type { Workplace } from "./workplace.ts";

/** How long a program may take to end by itself when nothing more is asked of it. */
const LEAVE_MS = 1000;
const NEWLINE = 10;

interface Question {
  readonly id: number;
  readonly line: string;
  /** What is wrong with a value, if anything is. */
  readonly wrong: (value: unknown) => string | undefined;
}

interface Asked extends Question {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: CommandFailed) => void;
}

/** A process that is asked one question after another, a line each, and answers each with a line. */
export class Conversation {
  /** Questions put to it. */
  asked = 0;
  /** It has ended, or said something that nobody asked for: the next question is for another process. */
  over = false;
  readonly #name: string;
  readonly #maxAnswerBytes: number;
  readonly #stop = new AbortController();
  readonly #ended: Promise<EndedChild>;
  readonly #stderr = new LastLines();
  #log: (bytes: Buffer) => void = () => {};
  #input: Writable | null = null;
  #question: Asked | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(place: Workplace) {
    const { command, maxAnswerBytes } = place.settings;
    this.#name = commandName(command);
    this.#maxAnswerBytes = maxAnswerBytes;
    this.#ended = runChild({
      ...place.request(),
      env: place.environment,
      input: "open",
      limits: { outputBytes: 0, graceMs: place.graceMs },
      signal: this.#stop.signal,
      started: (_, input) => {
        this.#input = input;
      },
      hear: (channel, bytes) => {
        if (channel === "stdout") this.#hear(bytes);
        else {
          this.#stderr.add(bytes);
          this.#log(bytes);
        }
      },
    });
    void this.#ended.then((child) => {
      this.over = true;
      this.#question?.reject(endedInstead(child, this.#name, this.#stderr.lines()));
    });
  }

  /** Asks one question; a failure leaves nothing of the process running. */
  async ask(question: Question, signal: AbortSignal, log: (bytes: Buffer) => void): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = (): void => reject(signal.reason);
    this.#log = log;
    this.#question = { ...question, resolve, reject };
    this.asked++;
    signal.addEventListener("abort", onAbort, { once: true });
    this.#input?.write(question.line);
    try {
      signal.throwIfAborted();
      return await promise;
    } catch (error) {
      if (!(error instanceof CommandFailed && error.said)) await this.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#question = undefined;
    }
  }

  /** Ends the process with all it has started, at once. */
  async end(): Promise<void> {
    this.over = true;
    this.#stop.abort();
    await this.#ended;
  }

  /** Tells the process that nothing more will be asked, and waits until it is gone. */
  async leave(): Promise<void> {
    this.#input?.end();
    const impatience = setTimeout(() => this.#stop.abort(), LEAVE_MS);
    await this.#ended;
    clearTimeout(impatience);
  }

  #hear(bytes: Buffer): void {
    if (this.over) return;
    const question = this.#question;
    if (question === undefined) {
      this.#log(Buffer.from(`${this.#name} printed what nobody asked for: ${oneLine(bytes.toString("utf8"))}\n`));
      void this.end();
      return;
    }
    const end = bytes.indexOf(NEWLINE);
    this.#bytes += end < 0 ? bytes.length : end;
    if (this.#bytes > this.#maxAnswerBytes) {
      this.over = true;
      question.reject(this.#failed(`printed more than ${this.#maxAnswerBytes} bytes instead of an answer`));
      return;
    }
    this.#pieces.push(end < 0 ? bytes : bytes.subarray(0, end));
    if (end < 0) return;
    const line = (this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces)).toString("utf8");
    this.#pieces = [];
    this.#bytes = 0;
    this.#answer(question, line);
    if (end + 1 === bytes.length) return;
    this.#question = undefined;
    this.#hear(bytes.subarray(end + 1));
  }

  #answer({ id, wrong, resolve, reject }: Asked, line: string): void {
    let answer: unknown;
    try {
      answer = parseAnswer(line, this.#name);
    } catch (error) {
      this.over = true;
      reject(error instanceof CommandFailed ? error : this.#failed(String(error)));
      return;
    }
    const { id: named, value, error } = isObject(answer) ? answer : {};
    const answered = named === id && value !== undefined && error === undefined;
    const odd = answered ? wrong(value) : undefined;
    if (odd !== undefined) {
      this.over = true;
      reject(wrongAnswer(line, this.#name, odd));
    } else if (answered) resolve(value);
    else if (named === id && typeof error === "string" && value === undefined) {
      reject(new CommandFailed(`${this.#name} says: ${error}`, this.#stderr.lines(), true));
    } else {
      this.over = true;
      const right = `{"id":${id},"value":…} or {"id":${id},"error":"…"}`;
      reject(this.#failed(`printed ${JSON.stringify(oneLine(line))} instead of ${right}`));
    }
  }

  #failed(what: string): CommandFailed {
    return new CommandFailed(`${this.#name} ${what}`, this.#stderr.lines());
  }
}
