import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { TournamentNews } from "@coppice/search";
import { TuneDisplay } from "./tune-display.ts";

/** A display that redraws into a text. */
function displayInto(written: string[], live: boolean): TuneDisplay {
  const sink = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  const terminal = Object.assign(sink, { isTTY: live, columns: 200, rows: 40 }) as unknown as NodeJS.WriteStream;
  const tuning = {
    titles: { near: "near", far: "far" },
    objective: "MAE",
    configurations: 8,
    standing: "parameter 1 of 2: WEIGHT",
    notices: [],
  };
  return new TuneDisplay(tuning, { terminal, quiet: false, environment: {}, everyMs: 5 });
}

const told = (done: number, total: number, ...news: readonly TournamentNews[]) => {
  const search = { levels: [{ name: "Configs", done, total }], says: ["parameter 2 of 2: SCALE"] };
  return { type: "told", at: 0, asked: 0, told: 0, search, news } as const;
};

/** Waits until the display has written something that matches. */
async function shown(written: readonly string[], pattern: RegExp): Promise<string> {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(1)) {
    const text = written.join("");
    if (pattern.test(text)) return text;
  }
  assert.fail(`nothing like ${pattern} in: ${written.join("")}`);
}

describe("the tuner's display", () => {
  it("A-19 A-20 shows configurations, horizons, overall, elapsed and the time left in one line, and it moves", async () => {
    const written: string[] = [];
    const display = displayInto(written, false);
    display.see(told(3, 8));
    display.see({ type: "progress", at: 0, ask: 3, progress: { done: 1, total: 2, label: "Horizons" } });
    await shown(
      written,
      /^parameter 2 of 2: SCALE\nConfigs: 3\/8 \(37\.5%\) \| Horizons: 1\/2 \(50\.0%\) \| Overall: 43\.8% \| Elapsed: 0s \| ETA: \d+s\n/,
    );
    await display.close();
  });

  it("says on how many workers it runs, one or several", async () => {
    for (const [workers, pool, says] of [
      [1, "processes", "on 1 process"],
      [1, "threads", "on 1 thread"],
      [2, "processes", "on 2 processes"],
    ] as const) {
      const written: string[] = [];
      const display = displayInto(written, false);
      const start = { id: "1", tool: "tune", directory: undefined, workers, pool, seed: 42, lookahead: 1024 };
      display.see({ type: "run-started", at: 0, start });
      await display.close();
      assert.match(written.join(""), new RegExp(`total evaluations per parameter, ${says}\n`));
    }
  });

  it("A-16 logs a new best with horizon, four decimals and test index, and keeps a table of them below the line", async () => {
    const written: string[] = [];
    const display = displayInto(written, true);
    const best = { kind: "best", pass: 0, parameter: "WEIGHT", forHorizon: "far", objective: 4.56789 } as const;
    display.see(told(1, 8, { ...best, entry: { horizon: "near", testIndex: 7, value: 1.25 } }));
    const text = await shown(written, /found by/);
    await display.close();
    assert.match(text, /new best for far: MAE 4\.5679 by WEIGHT 1\.25 \(near test 7\)\n/);
    assert.match(text, /horizon +MAE +found by\s+far +4\.5679 +WEIGHT 1\.25 \(near test 7\)/);
  });

  it("A-18 closes without leaving a timer behind", async () => {
    const written: string[] = [];
    const display = displayInto(written, false);
    display.see(told(1, 8));
    await display.close();
    const before = written.length;
    await pause(30);
    assert.equal(written.length, before);
  });
});
