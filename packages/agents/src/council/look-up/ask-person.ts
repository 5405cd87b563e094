import { createInterface } from "node:readline/promises";

export interface PersonLink {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

export interface PersonAnswer {
  readonly answer: string | null;
  /** Where the answer comes from, or why there is none. */
  readonly from: string;
}

/** One question at a time: two prompts on one terminal answer each other. */
let queue: Promise<unknown> = Promise.resolve();

/** Puts a question to whoever sits at the terminal. An empty line skips it; so does waiting longer than `timeoutMs`. */
export function askPerson(
  question: string,
  { input, output }: PersonLink,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<PersonAnswer> {
  const asked = queue.then(async (): Promise<PersonAnswer> => {
    if (signal.aborted) throw signal.reason;
    if (input.isTTY !== true) return { answer: null, from: "nobody at a terminal" };
    const limit = AbortSignal.timeout(timeoutMs);
    const terminal = createInterface({ input, output, terminal: true });
    // A terminal in raw mode turns Ctrl-C into a key; it still means the whole run.
    terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    try {
      const text = await terminal.question(question, { signal: AbortSignal.any([signal, limit]) });
      return text.trim() === "" ? { answer: null, from: "skipped" } : { answer: text.trim(), from: "the user" };
    } catch (error) {
      if (!limit.aborted || signal.aborted) throw error;
      output.write("\n");
      return { answer: null, from: `no answer within ${Math.round(timeoutMs / 1000)} s` };
    } finally {
      terminal.close();
    }
  });
  queue = asked.catch(() => {});
  return asked;
}
