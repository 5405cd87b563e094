import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { RunEvent } from "@coppice/engine";
import { displayFor } from "./display.ts";

/** A stream that says it is a terminal and remembers what it was sent. */
class Screen extends Writable {
  readonly isTTY: boolean;
  readonly columns = 100;
  readonly rows = 30;
  readonly writes: string[] = [];

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk.toString());
    done();
  }

  get text(): string {
    return this.writes.join("");
  }
}

const T = Date.UTC(2026, 10, 15);
const start = { id: "3", tool: "run", directory: undefined, pool: "inline", workers: 1, seed: 1, lookahead: 64 };
const finished: RunEvent = {
  type: "finished",
  at: T + 2000,
  end: { state: "done", digest: "abcd", tells: 4, reproducible: { from: "seed" } },
};
const told = (count: number): RunEvent => ({ type: "told", at: T + count, asked: 100_000, told: count, search: {} });

describe("the display", () => {
  const plain = /^run 3: 1 worker \(inline\).*\n4\/4 tasks .*\ndone after 4 tells, .*\ndigest abcd\n$/;
  const cases = [
    { name: "a pipe", isTTY: false, quiet: false, environment: {} },
    { name: "--quiet", isTTY: true, quiet: true, environment: {} },
    { name: "continuous integration", isTTY: true, quiet: false, environment: { CI: "true" } },
    { name: "a dumb terminal", isTTY: true, quiet: false, environment: { TERM: "dumb" } },
  ];
  for (const { name, isTTY, quiet, environment } of cases) {
    it(`writes plain lines for ${name}`, async () => {
      const terminal = new Screen(isTTY);
      const display = (await displayFor({ terminal, quiet, environment }))();
      display.see({ type: "run-started", at: T, start });
      display.see({ type: "told", at: T, asked: 4, told: 4, search: {} });
      display.see(finished);
      await display.close();
      assert.match(terminal.text, plain);
      assert.equal(stripVTControlCharacters(terminal.text), terminal.text);
    });
  }

  it("redraws at most ten times a second in a terminal, however much happens", async () => {
    const terminal = new Screen(true);
    const display = (await displayFor({ terminal, quiet: false, environment: { CI: "false" } }))();
    const begin = performance.now();
    for (let count = 0; performance.now() - begin < 550; count++) {
      for (let i = 0; i < 1000; i++) display.see(told(count));
      await sleep(1);
    }
    const seconds = (performance.now() - begin) / 1000;
    const draws = terminal.writes.length;
    assert.ok(draws >= 1 && draws <= seconds * 10 + 1, `${draws} writes in ${seconds} s`);
    await display.close();
  });

  it("skips frames while the terminal does not take them, and never waits", async () => {
    const terminal = new Screen(true);
    terminal._write = () => {};
    const display = (await displayFor({ terminal, quiet: false, environment: {} }))();
    terminal.write("x".repeat(100_000));
    assert.equal(terminal.writableNeedDrain, true);
    const before = terminal.writableLength;
    for (let count = 0; count < 30; count++) {
      display.see(told(count));
      await sleep(10);
    }
    assert.equal(terminal.writableLength, before);
    await display.close();
  });

  it("leaves the outcome behind and the cursor on a new line", async () => {
    const terminal = new Screen(true);
    const display = (await displayFor({ terminal, quiet: false, environment: { NO_COLOR: "1" } }))();
    display.see({ type: "run-started", at: T, start });
    display.see({ type: "note", at: T, message: "took over a stale lock" });
    display.see({ type: "requeued", at: T, ask: 2, reason: "the process ended with exit code 3" });
    display.see({ type: "told", at: T, asked: 4, told: 4, search: {} });
    display.see(finished);
    display.see({ type: "note", at: T + 3000, message: "too late" });
    await display.close();
    await display.close();
    const text = stripVTControlCharacters(terminal.text);
    assert.match(text, /took over a stale lock/);
    assert.match(text, /task 2 requeued: the process ended with exit code 3/);
    assert.match(
      text,
      /4\/4 tasks \(100\.0%\) · in 2\.00 s\s+done after 4 tells, reproducible from its seed\ndigest abcd\n$/,
    );
    assert.doesNotMatch(text, /too late/);
    assert.ok(!terminal.text.includes("\u001b[32m"));
  });
});
