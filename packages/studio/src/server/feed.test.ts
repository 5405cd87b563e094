import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { inline, threads } from "@coppice/engine";
import { readReport } from "@coppice/engine/records";
import { beginRun } from "../../test/recorded-run.ts";
import type { RunDetail } from "../wire.ts";
import { type OpenStudio, openStudio } from "./open-studio.ts";

interface Said {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
}

/** The events of a stream, one after the other. */
async function* events(url: URL, last?: string): AsyncGenerator<Said> {
  const left = new AbortController();
  const response = await fetch(url, {
    signal: left.signal,
    headers: last === undefined ? {} : { "last-event-id": last },
  });
  assert.equal(response.status, 200);
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const fields = new Map(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        text = text.slice(end + 2);
        const [id, name, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
        if (id !== undefined && name !== undefined && data !== undefined) yield { id, name, data: JSON.parse(data) };
      }
    }
  } finally {
    left.abort();
  }
}

async function next(stream: AsyncGenerator<Said>): Promise<Said> {
  const { value } = await stream.next();
  assert.ok(value !== undefined, "the stream has ended");
  return value;
}

describe("a run that is followed", () => {
  const scratch = mkdtempSync(join(tmpdir(), "coppice-feed-"));
  const runs = join(scratch, "runs");
  let studio: OpenStudio;
  const urlOf = (path: string) => new URL(`${path}${new URL(studio.url).search}`, studio.url);

  before(async () => {
    mkdirSync(runs);
    studio = await openStudio({ places: [runs], command: { program: process.execPath, args: [], name: "coppice" } });
  });
  after(async () => {
    await studio.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("is told whole, then by numbered changes, until both are the same as its report", async () => {
    const run = await beginRun(join(runs, "live"), {
      tasks: 200,
      delayMs: 2,
      failEvery: 40,
      pool: threads({ workers: 2 }),
    });
    const stream = events(urlOf("/api/runs/0/live/stream"));
    const first = await next(stream);
    assert.equal(first.name, "snapshot");
    let state = first.data as Record<string, unknown>;
    let number = Number(first.id.split("-")[1]);
    while (state.state !== "done") {
      const { name, id, data } = await next(stream);
      assert.equal(name, "change");
      assert.equal(Number(id.split("-")[1]), ++number);
      state = { ...state, ...(data as object) };
    }
    await stream.return(undefined);
    await run.finished;
    const report = readReport(join(runs, "live"));
    for (const field of ["told", "counts", "curve", "failures", "workers"] as const) {
      assert.deepEqual(state[field], JSON.parse(JSON.stringify(report[field])), field);
    }
  });

  it("tells whoever comes back only what is new, and a stranger's number everything", async () => {
    await (await beginRun(join(runs, "back"), { tasks: 5, pool: inline() })).finished;
    const url = urlOf("/api/runs/0/back/stream");
    const holding = events(url);
    const { id } = await next(holding);
    const again = events(url, id);
    const other = events(url, "0badf00d-7");
    assert.equal((await next(other)).name, "snapshot");
    const silent = await Promise.race([
      again.next().then(() => "told"),
      new Promise((done) => setTimeout(done, 300, "silent")),
    ]);
    assert.equal(silent, "silent");
    await Promise.all([holding.return(undefined), other.return(undefined)]);
  });

  it("is told to a thousand at once from one reading", async () => {
    await (await beginRun(join(runs, "many"), { tasks: 50, pool: inline() })).finished;
    const url = urlOf("/api/runs/0/many/stream");
    const streams = Array.from({ length: 1000 }, () => events(url));
    const told: Awaited<ReturnType<typeof next>>[] = [];
    // All stay open; only their coming is spread, because a busy machine resets what it cannot take in at once.
    for (let from = 0; from < streams.length; from += 100)
      told.push(...(await Promise.all(streams.slice(from, from + 100).map(next))));
    assert.ok(told.every(({ name, data }) => name === "snapshot" && (data as RunDetail).told === 50));
    await Promise.all(streams.map((stream) => stream.return(undefined)));
  });
});
