import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Outcome, type Proposal, type Search, start, threads } from "@coppice/engine";
import { commandEvaluator } from "@coppice/engine/command";

const SCRIPT = fileURLToPath(new URL("./one-millisecond.py", import.meta.url));
const COMMAND = ["python3", SCRIPT] as const;

/** Asks for that many numbers and notes when the first and the last answer came. */
class Stopwatch implements Search<number, number, number> {
  readonly #count: number;
  #asked = 0;
  #told = 0;
  #firstMs = 0;
  #lastMs = 0;

  constructor(count: number) {
    this.#count = count;
  }

  ask(): Proposal<number> {
    if (this.#asked < this.#count) return { kind: "candidate", candidate: this.#asked, key: String(this.#asked++) };
    return { kind: this.#told < this.#count ? "wait" : "done" };
  }

  tell(outcome: Outcome<number>): void {
    assert.deepEqual(outcome, { ok: true, value: 2 * this.#told });
    this.#lastMs = performance.now();
    if (this.#told++ === 0) this.#firstMs = this.#lastMs;
  }

  /** Microseconds per task. */
  result(): number {
    return ((this.#lastMs - this.#firstMs) * 1000) / (this.#count - 1);
  }
}

/** Microseconds per task with one worker that has one long-lived process. */
export async function withOneWorker(count: number): Promise<number> {
  const evaluated = commandEvaluator({ command: COMMAND, mode: "lines" });
  const run = await start({ search: new Stopwatch(count), ...evaluated, pool: threads({ workers: 1 }) });
  return (await run.finished).result;
}

/** Microseconds per task of a loop that writes a line to the same script and waits for its answer. */
export async function withPlainLoop(count: number): Promise<number> {
  // In a session of its own, as ours is: the kernel divides a busy machine between sessions, and this measures something else.
  const child = spawn(COMMAND[0], [SCRIPT], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const watch = new Stopwatch(count);
  for await (const answer of answers(child, watch)) watch.tell({ ok: true, value: answer });
  await new Promise((resolve) => child.on("close", resolve));
  return watch.result();
}

async function* answers(child: ReturnType<typeof spawn>, watch: Stopwatch): AsyncGenerator<number> {
  if (child.stdin === null || child.stdout === null) throw new Error("the script has no pipes");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let proposal = watch.ask(); proposal.kind === "candidate"; proposal = watch.ask()) {
    const { candidate } = proposal;
    child.stdin.write(`${JSON.stringify({ id: candidate, candidate, seed: 0 })}\n`);
    const { value: answer = "" } = await lines.next();
    yield (JSON.parse(answer) as { value: number }).value;
  }
  child.stdin.end();
}
