import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TimerBook } from "./timer-book.ts";

function clockedBook() {
  let now = 0;
  const book = new TimerBook(() => now);
  return { book, pass: (ms: number) => (now += ms), now: () => now };
}

describe("a timer book", () => {
  it("gives nested time to the inner name's self and to both names' totals", () => {
    const { book, pass } = clockedBook();
    {
      using _outer = book.begin("outer");
      pass(3);
      {
        using _inner = book.begin("inner");
        pass(5);
      }
      pass(2);
    }
    pass(100);
    assert.deepEqual(book.drain(), {
      outer: { ms: 10, selfMs: 5, count: 1 },
      inner: { ms: 5, selfMs: 5, count: 1 },
    });
  });

  it("counts a recursive name's time once", () => {
    const { book, pass } = clockedBook();
    const visit = (depth: number): void => {
      using _ = book.begin("visit");
      pass(1);
      if (depth > 0) visit(depth - 1);
    };
    visit(3);
    assert.deepEqual(book.drain(), { visit: { ms: 4, selfMs: 4, count: 4 } });
  });

  it("splits a timer that runs across a drain between both drains", () => {
    const { book, pass } = clockedBook();
    const timer = book.begin("long");
    pass(4);
    assert.deepEqual(book.drain(), { long: { ms: 4, selfMs: 4, count: 0 } });
    pass(6);
    timer[Symbol.dispose]();
    assert.deepEqual(book.drain(), { long: { ms: 6, selfMs: 6, count: 1 } });
    assert.deepEqual(book.drain(), {});
  });

  it("ignores a second end and an end after forget", () => {
    const { book, pass } = clockedBook();
    const timer = book.begin("once");
    pass(1);
    timer[Symbol.dispose]();
    timer[Symbol.dispose]();
    assert.equal(book.drain().once.count, 1);
    const forgotten = book.begin("once");
    book.forget();
    forgotten[Symbol.dispose]();
    assert.deepEqual(book.drain(), {});
  });

  it("never books more than the wall, whatever order timers end in", () => {
    const step = fc.record({ name: fc.constantFrom("a", "b", "c"), end: fc.option(fc.nat(5)), ms: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { book, pass, now } = clockedBook();
        const running: Disposable[] = [];
        let busy = 0;
        for (const { name, end, ms } of steps) {
          if (end === null) running.push(book.begin(name));
          else running.splice(end, 1)[0]?.[Symbol.dispose]();
          pass(ms);
          if (running.length > 0) busy += ms;
        }
        const totals = Object.values(book.drain());
        assert.equal(
          totals.reduce((sum, total) => sum + total.selfMs, 0),
          busy,
        );
        for (const total of totals) assert.ok(total.selfMs <= total.ms && total.ms <= now());
      }),
    );
  });
});
