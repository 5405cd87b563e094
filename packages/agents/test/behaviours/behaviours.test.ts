import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { concurrent } from "@coppice/engine";
import { JOURNAL_NAME, readJournal } from "@coppice/engine/records";
import { type PreparedRun, runToEnd } from "@coppice/engine/session";
import { soak } from "@coppice/engine/soak";
import { decode } from "@coppice/engine/values";
import { prepareAsk } from "../../src/ask/prepare-ask.ts";
import { prepareCouncil } from "../../src/council/prepare-council.ts";
import { prepareDigest } from "../../src/digest/prepare-digest.ts";
import { readBack, type WrittenAnswer } from "../../src/models/consultation.ts";
import type { ConsultContext } from "../../src/models/gateway.ts";
import { parseModels } from "../../src/models/models-file.ts";
import type { Charge } from "../../src/models/money/charge.ts";
import { PracticeServer } from "../../src/practice-server/practice-server.ts";
import { prepareSwarm } from "../../src/swarm/prepare-swarm.ts";
import { setupOf } from "../council/hold-council.ts";
import { type ProviderBehaviour, providerBehaviours } from "./provider-behaviours.ts";

const all = providerBehaviours.map((behaviour, index) => ({ ...behaviour, model: `b${index}` }));
/** Those that say something: for who does not, somebody has to wait. */
const numbered = all.filter(({ script: [first] }) => first.kind !== "silence");

/** A run for each of them takes a while: a few, and all of them in a soak. */
const some = <Item>(items: readonly Item[]) => items.filter((_, index) => index % soak(16, 1) === 0);

const byModel = new Map(all.map((behaviour) => [behaviour.model, behaviour]));

let server: PracticeServer;
let directory: string;
/** How often each model was asked the same. */
const asked = new Map<string, number>();

before(async () => {
  directory = mkdtempSync(join(tmpdir(), "coppice-behaviours-"));
  server = await PracticeServer.start({
    respond: ({ body }) => {
      const key = JSON.stringify([body.model, body.messages]);
      const times = asked.get(key) ?? 0;
      asked.set(key, times + 1);
      const { script } = byModel.get(body.model) ?? { script: [{ kind: "answer", content: "VERDICT: STOP" }] as const };
      return script[Math.min(times, script.length - 1)];
    },
  });
});
after(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A provider for each, so that what one of them does is not held against the others. */
const context = (place: string, timeoutMs = 60_000): ConsultContext => ({
  models: parseModels(
    JSON.stringify({
      providers: Object.fromEntries([...byModel.keys(), "chair"].map((name) => [name, { baseUrl: server.url }])),
      models: Object.fromEntries(
        [...byModel.keys()].map((name) => [
          name,
          { provider: name, model: name, price: { input: 1000, output: 2000 } },
        ]),
      ),
    }),
    "the test",
  ),
  // Runs with the same context share a gateway, and what it closes.
  place,
  timeoutMs,
  retries: 1,
  backoffMs: 1,
  concurrency: 50,
});

interface Ended {
  readonly text: string;
  /** By model. */
  readonly charges: ReadonlyMap<string, Charge>;
  readonly sent: (model: string) => number;
}

/** Runs a tool to its end; says what a person sees, what is charged and how often each model was asked. */
async function ended<Candidate, Value, Result>(
  id: string,
  prepared: PreparedRun<Candidate, Value, Result>,
  modelOf: (key: string) => string,
): Promise<Ended> {
  const from = server.calls.length;
  const session = await runToEnd(prepared, { runs: directory, id }, { pool: async () => concurrent({ workers: 50 }) });
  if (session.end.state !== "done") throw new Error(`${session.end.state}: ${session.end.message}`);
  const place = session.directory;
  const { result } = session.end;
  const text = [prepared.describe?.(result, place), prepared.remarks?.(result, place)].join("\n");
  const charges = new Map<string, Charge>();
  readJournal(join(place, JOURNAL_NAME), (entry) => {
    if (entry.type === "completed") charges.set(modelOf(entry.key), readBack(decode(entry.value) as WrittenAnswer));
    if (entry.type === "failed" && entry.outcome) charges.set(modelOf(entry.key), (entry.detail.data ?? {}) as Charge);
  });
  const calls = server.calls.slice(from);
  return { text, charges, sent: (model) => calls.filter(({ body }) => body.model === model).length };
}

function check(
  { name, sees, charged, sent, model }: ProviderBehaviour & { model: string },
  end: Ended,
  text: string,
): void {
  assert.match(text, sees, name);
  const { cost, estimated } = end.charges.get(model) ?? {};
  if (charged === "estimated") assert.ok(estimated === true && (cost ?? 0) > 0, `${name}: ${cost}`);
  else assert.ok(Math.abs((cost ?? 0) - charged) < 1e-9, `${name} is charged ${cost}`);
  // Where a limit of time ends it, a busy machine may not even have come to send it.
  assert.ok(end.sent(model) === sent || /ModelTimeout/.test(text), `${name}: sent ${end.sent(model)} times`);
}

describe("what providers do, in every tool that asks them", () => {
  it("ask", async () => {
    const respondents = numbered.map(({ model }) => ({
      name: model,
      title: "",
      model: `${model}/${model}`,
      opinion: false,
    }));
    const question = {
      query: "how is it?",
      respondents,
      stance: "neutral",
      steps: 1,
      targetConfidence: "high",
      tuning: {},
    };
    const prepared = prepareAsk({ question: question as never, minSuccess: 0 }, context("ask"));
    const end = await ended("ask", prepared, (key) => key.split(" ")[0]);
    const parts = end.text.split(/^── /m);
    for (const behaviour of numbered) {
      const part = parts.find((each) => new RegExp(`^${behaviour.model}\\b`).test(each)) ?? "";
      check(behaviour, end, part);
      assert.equal(/ no answer\n/.test(part), !behaviour.answered, behaviour.name);
    }
  });

  it("swarm", async () => {
    const tasks = numbered.map(({ model }) => ({
      label: model,
      request: { model: `${model}/${model}`, messages: [{ role: "user" as const, content: "and how is it now?" }] },
    }));
    const plan = { mode: "batch" as const, about: "it", tasks, skipped: [] };
    const end = await ended(
      "swarm",
      prepareSwarm({ plan, minSuccess: 0 }, context("swarm")),
      (key) => key.split(" ")[0],
    );
    for (const behaviour of numbered) {
      // Answers that say the same are one; failures beyond the first ten are counted.
      const said = behaviour.answered ? end.text : undefined;
      const { charged, model, name } = behaviour;
      const { cost, estimated } = end.charges.get(model) ?? {};
      if (charged === "estimated") assert.equal(estimated, true, name);
      else assert.ok(Math.abs((cost ?? 0) - charged) < 1e-9, `${name} is charged ${cost}`);
      assert.equal(end.sent(model), behaviour.sent, `${name}: sent`);
      if (said !== undefined) assert.match(said, behaviour.sees, name);
    }
    assert.match(end.text, /Without an answer:\n[\s\S]*… and \d+ more/);
  });

  it("digest", async () => {
    const path = join(directory, "a.txt");
    writeFileSync(path, "one line\n");
    const digested = async (behaviour: (typeof all)[number]) => {
      const { model } = behaviour;
      const isSilent = !numbered.includes(behaviour);
      const setup = {
        question: "what?",
        model: `${model}/${model}`,
        limits: { maxLines: 20, maxWords: 200 },
        window: 10_000,
        tuning: {},
      };
      const record = {
        setup,
        paths: [path],
        maxBytes: 1000,
        known: {},
        summaries: join(directory, "summaries"),
        minSuccess: 0,
      };
      const end = await ended(
        `digest-${model}`,
        await prepareDigest(record, context(`digest ${model}`, isSilent ? 1000 : undefined)),
        () => model,
      );
      // A digest does not say of a summary that it was cut: it shortens summaries itself.
      check(behaviour.answered ? { ...behaviour, sees: /all is well/ } : behaviour, end, end.text);
    };
    for (const behaviour of some(all)) await digested(behaviour);
  });

  it("council", async () => {
    const counselled = async (behaviour: (typeof all)[number]) => {
      const { model } = behaviour;
      const setup = setupOf(["judge"], {
        models: [`${model}/${model}`],
        arbiter: { prompt: "You are the arbiter.", model: "chair/chair" },
        maxRounds: { value: 1, from: "flag" },
      });
      const prepared = prepareCouncil(
        { setup, directory, questionMs: 0 },
        { consult: context(`council ${model}`), directory, questionMs: 0 },
      );
      const end = await ended(`council-${model}`, prepared, (key) => (key.includes("judge") ? model : "chair"));
      check(behaviour.answered ? { ...behaviour, sees: /judge/ } : behaviour, end, end.text);
      assert.equal(/the council failed/.test(end.text), !behaviour.answered, behaviour.name);
    };
    for (const behaviour of some(numbered)) await counselled(behaviour);
  });
});
