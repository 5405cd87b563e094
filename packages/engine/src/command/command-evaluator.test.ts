import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { behaviours, writeHostilePrograms } from "../../test/hostile-program.ts";
import { candidate, Scripted, when } from "../../test/searches.ts";
import { inTurn, soak } from "../../test/soak.ts";
import { openCache } from "../cache/evaluation-cache.ts";
import { markedProcesses, RUN_MARK } from "../child-process/marked-processes.ts";
import type { Outcome } from "../contract/outcome.ts";
import { start } from "../driver/start.ts";
import type { StartOptions } from "../driver/start-options.ts";
import { concurrent, inline } from "../pools/in-process.ts";
import { processes } from "../pools/processes.ts";
import { threads } from "../pools/threads.ts";
import { random } from "../random/random.ts";
import { UsageError } from "../usage-error.ts";
import type { AnswerShape } from "./answer-shape.ts";
import { type CommandMode, type CommandOptions, commandEvaluator } from "./command-evaluator.ts";

const MARK = crypto.randomUUID();
process.env[RUN_MARK] = MARK;

const pools = [
  () => threads({ workers: 3, chunk: 2 }),
  () => processes({ workers: 2 }),
  () => concurrent({ workers: 5 }),
];

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "coppice command-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function script(place: string, name: string, text: string): string {
  writeFileSync(join(place, name), text);
  chmodSync(join(place, name), 0o755);
  return `./${name}`;
}

/** Evaluates candidates in order; limits are for those that never answer. */
async function evaluate(
  given: CommandOptions,
  candidates: readonly unknown[],
  options: Partial<StartOptions<unknown, unknown, unknown>> = {},
) {
  const asks = candidates.map((value, i) => candidate(`${i} ${String(value)}`, value));
  const run = await start({
    search: new Scripted(asks, when(candidates.length, { kind: "done" })),
    ...commandEvaluator(given),
    policy: (key) => (/hang|late/.test(key) ? { timeoutMs: 300 } : {}),
    pool: inline(),
    ...options,
  });
  const { digest, result } = await run.finished;
  const outcomes = (result as [number, string][]).map(([, text]) => JSON.parse(text) as Outcome<unknown>);
  return { digest, outcomes };
}

/** Asserts that nothing that this test file started is still running. */
async function nothingLeft(): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(20)) {
    if (markedProcesses(MARK).length === 0) return;
  }
  assert.fail(`left running: ${markedProcesses(MARK).join(", ")}`);
}

describe("an evaluator that is a command", () => {
  for (const [turn, mode] of (["once", "lines"] as const).entries()) {
    it(`comes to what each behaviour means, with one digest on different pools (${mode})`, {
      timeout: 600_000,
    }, async (t) => {
      const place = folder(t);
      writeHostilePrograms(place);
      const names = Object.keys(behaviours);
      for (let round = 0; round < soak(1, 20); round++) {
        const drawn = random(round)
          .at(mode)
          .shuffle([...names, "answer", "exit", "twice"]);
        const digests = new Set<string>();
        for (const open of [() => inline(), ...inTurn(pools, turn + round)]) {
          const given = { command: [`./${mode}`], mode, cwd: place, maxAnswerBytes: 65_536 };
          const { outcomes, digest } = await evaluate(given, drawn, { pool: open() });
          for (const [i, outcome] of outcomes.entries()) assertMeans(drawn[i], mode, outcome);
          digests.add(digest);
        }
        assert.equal(digests.size, 1);
      }
      await nothingLeft();
    });

    it(`fails, or runs out of time, when it never reads what it is asked (${mode})`, async () => {
      const large = "late ".repeat(200_000);
      const given = (...command: string[]) => ({ command, mode });
      const { outcomes: ended } = await evaluate(given("true"), ["x".repeat(1_000_000)]);
      assert.deepEqual(ended, [
        { ok: false, failure: { type: "CommandFailed", message: "true ended without an answer" } },
      ]);
      const { outcomes: slept } = await evaluate(given("sleep", "1000"), [large, large]);
      for (const outcome of slept) assert.equal(outcome.ok ? "" : outcome.failure.type, "Timeout");
      await nothingLeft();
    });
  }

  function assertMeans(name: string, mode: CommandMode, outcome: Outcome<unknown>): void {
    const { value, failure } = behaviours[name][mode];
    const { ok } = outcome;
    if (failure === undefined) assert.deepEqual(outcome, { ok: true, value }, name);
    else assert.match(ok ? `value ${outcome.value}` : `${outcome.failure.type}: ${outcome.failure.message}`, failure);
  }
});

describe("what a command answers", () => {
  it("is all that comes until its output ends, also from what it left in the background", async (t) => {
    const place = folder(t);
    const late = script(place, "late.sh", '#!/bin/sh\nread -r x\n(sleep 0.6; echo "$x") &\n');
    const { outcomes } = await evaluate({ command: [late], cwd: place }, [3, 4]);
    assert.deepEqual(
      outcomes,
      [3, 4].map((value) => ({ ok: true, value })),
    );
  });

  for (const mode of ["once", "lines"] as const) {
    it(`is refused where it is not what was asked for, by its place (${mode})`, async (t) => {
      const place = folder(t);
      // Answers with its candidate's `text`, which need not be JSON that this test could write as a value.
      const answer =
        mode === "once"
          ? "console.log(JSON.parse(require('fs').readFileSync(0, 'utf8')).text)"
          : `require('readline').createInterface(process.stdin).on('line', (line) => {
              const { id, candidate } = JSON.parse(line);
              console.log('{"id":' + id + ',"value":' + candidate.text + '}');
            })`;
      writeFileSync(join(place, "answer.cjs"), answer);
      const command = { command: [process.execPath, "answer.cjs"], mode, cwd: place };
      const said = async (texts: readonly string[], shape?: AnswerShape) => {
        const candidates = texts.map((text) => ({ text, names: ["near", "far"] }));
        const given = shape === undefined ? command : { ...command, answer: shape };
        const { outcomes } = await evaluate(given, candidates);
        return outcomes.map((each) => (each.ok ? each.value : each.failure.message.replace(/^.*": /, "")));
      };
      const large = "a number in it is too large";
      const deep = `${"[".repeat(5000)}-1e999${"]".repeat(5000)}`;
      assert.deepEqual(await said(["1e308", "1e999", '{"a":[0,-1e999]}', deep, '"text"']), [
        1e308,
        large,
        large,
        large,
        "text",
      ]);
      const number = "a number or null is needed";
      assert.deepEqual(await said(["0", "null", '"1"', "[1]", "true", "1e999"], "number"), [
        0,
        null,
        number,
        number,
        number,
        large,
      ]);
      const each = "an object with a number or null for each name is needed";
      const scores = ['{"near":1,"far":null}', "{}", '{"near":1}', '{"near":"x","far":1}', "[1,2]", "3"];
      assert.deepEqual(await said(scores, { numbersFor: "names" }), [
        { near: 1, far: null },
        "it has nothing for near, which needs a number or null",
        "it has nothing for far, which needs a number or null",
        'near is "x", but needs a number or null',
        each,
        each,
      ]);
    });
  }
});

describe("a command that cannot be one", () => {
  it("is refused in one line", () => {
    const cases: [unknown, RegExp][] = [
      [undefined, /^UsageError: a command is a list of texts, such as \["python3", "score\.py"\], not undefined$/],
      [{ command: "python3 x" }, /^UsageError: a command is a list of texts, .*, not "python3 x"$/],
      [{ command: ["sleep", 5] }, /^UsageError: a command is a list of texts, .*, not a list of other things$/],
      [{ command: ["true"], files: "a.py" }, /^UsageError: a command's files are a list of texts, not "a\.py"$/],
      [{ command: ["true"], cwd: 5 }, /^UsageError: a command's cwd is a text, not 5$/],
    ];
    for (const [given, message] of cases) assert.throws(() => commandEvaluator(given as CommandOptions), message);
  });
});

describe("what a command is asked", () => {
  it("is the candidate as JSON, byte for byte, with its seed and the context", async (t) => {
    const place = folder(t);
    const echo = script(
      place,
      "echo.sh",
      `#!/bin/sh\nprintf '{"said":%s,"context":%s,"seed":%s}' "$(cat)" "$COPPICE_CONTEXT" "$COPPICE_TASK_SEED"\n`,
    );
    const hostile = ["a\nb", "'; exit 3 #", "$(exit 3)", "\\", "\u2028 é 🎲", { "-n": [0, -1.5e-7, true, null] }];
    const { outcomes } = await evaluate({ command: [echo], cwd: place, context: { cities: 60 } }, hostile);
    for (const [i, outcome] of outcomes.entries()) {
      assert.ok(outcome.ok);
      const { said, context, seed } = outcome.value as Record<string, unknown>;
      assert.deepEqual([said, context], [hostile[i], { cities: 60 }]);
      assert.ok(Number.isSafeInteger(seed));
    }
  });

  it("is nothing that JSON would change: such a candidate fails with its place", async () => {
    const odd = [{ x: [1, Number.NaN] }, new Map(), [undefined], 3n];
    const { outcomes } = await evaluate({ command: ["cat"] }, odd);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? "" : outcome.failure.message.split(":")[0])),
      [
        "the candidate.x[1] is NaN",
        "the candidate is a Map",
        "the candidate[0] is undefined",
        "the candidate is bigint",
      ],
    );
  });
});

describe("a command's version", () => {
  const drawn = [1, 2, 3];

  it("changes with its script, with files it is told to read, and with those it is said to belong to", async (t) => {
    const place = folder(t);
    const ledger = join(place, "ledger");
    writeFileSync(join(place, "table.json"), "1");
    writeFileSync(join(place, "library.sh"), "true\n");
    const given = {
      command: ["sh", "score.sh", "--table=table.json"],
      cwd: place,
      files: ["library.sh"],
    };
    script(place, "score.sh", `echo x >>'${ledger}'\ncat\n`);
    using cache = closing(openCache(join(place, "cache.sqlite")));
    const count = async () => {
      writeFileSync(ledger, "");
      await evaluate(given, drawn, { cache });
      return readFileSync(ledger, "utf8").length / 2;
    };
    assert.deepEqual([await count(), await count()], [3, 0]);
    for (const name of ["score.sh", "table.json", "library.sh"]) {
      appendFileSync(join(place, name), "\n");
      assert.deepEqual([name, await count(), await count()], [name, 3, 0]);
    }
  });

  it("refuses a resume with another script by its name, and knows the same one in a moved project", async (t) => {
    const place = folder(t);
    const project = join(place, "project");
    mkdirSync(project);
    script(project, "score.sh", "#!/bin/sh\ncat\n");
    const directory = join(place, "run");
    const work = (cwd: string, resume: boolean, stopAfter: number) => {
      const asks = drawn.map((value) => candidate(String(value), value));
      return start({
        search: new Scripted(asks, when(drawn.length, { kind: "done" })),
        ...commandEvaluator({ command: ["./score.sh"], cwd }),
        pool: inline(),
        lookahead: 1,
        journal: { directory, resume },
      }).then((run) => {
        run.subscribe((event) => event.type === "told" && event.told >= stopAfter && run.interrupt());
        return run.finished;
      });
    };
    await assert.rejects(work(project, false, 1));
    appendFileSync(join(project, "score.sh"), "# changed\n");
    await assert.rejects(work(project, true, 9), /different code \(.*score\.sh\)/);
    writeFileSync(join(project, "score.sh"), "#!/bin/sh\ncat\n");
    renameSync(project, join(place, "moved"));
    assert.equal((await work(join(place, "moved"), true, 9)).tells, 3);
  });

  for (const open of [inline, () => threads({ workers: 2 })]) {
    it(`ends a run that is going when its script changes, before an answer of the new one counts (${open().kind})`, async (t) => {
      const place = folder(t);
      const old = "#!/bin/sh\ncat\n";
      script(place, "score.sh", old);
      const directory = join(place, "run");
      const work = (resume: boolean) => {
        const asks = Array.from({ length: 40 }, (_, value) => candidate(String(value), value));
        return start({
          search: new Scripted(asks, when(asks.length, { kind: "done" })),
          ...commandEvaluator({ command: ["./score.sh"], cwd: place }),
          pool: open(),
          journal: { directory, resume },
        });
      };
      const run = await work(false);
      let changed = false;
      run.subscribe((event) => {
        if (event.type !== "completed" || changed) return;
        changed = true;
        writeFileSync(join(place, "score.sh"), "#!/bin/sh\necho 99\n");
      });
      await assert.rejects(run.finished, /the evaluator's code changed while the run was going \(.*score\.sh\)/);
      writeFileSync(join(place, "score.sh"), old);
      const { result } = await (await work(true)).finished;
      assert.deepEqual(
        (result as [number, string][]).map(([, outcome]) => JSON.parse(outcome).value),
        Array.from({ length: 40 }, (_, value) => value),
      );
    });
  }
});

describe("a command that cannot be", () => {
  it("is looked for past folders of the PATH where nobody may look", (t) => {
    const place = folder(t);
    symlinkSync("loop", join(place, "loop"));
    const { PATH = "" } = process.env;
    t.after(() => {
      process.env.PATH = PATH;
    });
    process.env.PATH = `${join(place, "loop")}:/${"x".repeat(300)}:${PATH}`;
    assert.deepEqual(commandEvaluator({ command: ["sh"], cwd: place }).context.command, ["sh"]);
    assert.throws(() => commandEvaluator({ command: ["no-such"], cwd: place }), UsageError);
    assert.throws(() => commandEvaluator({ command: ["./loop/sh"], cwd: place }), UsageError);
  });

  it("is refused in one line before anything is started", (t) => {
    const place = folder(t);
    writeFileSync(join(place, "plain.sh"), "#!/bin/sh\n");
    const refused = (options: Partial<CommandOptions>, line: RegExp) =>
      assert.throws(() => commandEvaluator({ command: ["cat"], cwd: place, ...options }), {
        name: "UsageError",
        message: line,
      });
    refused({ command: [] }, /^the command is empty/);
    refused(
      { command: ["no-such-program"] },
      /^there is no program no-such-program to run as a command: it is not on the PATH$/,
    );
    refused({ command: ["plain.sh"] }, /the file here is \.\/plain\.sh$/);
    refused({ command: ["./plain.sh"] }, /^the command \.\/plain\.sh is not executable: chmod \+x it/);
    refused({ command: ["./missing"] }, /^there is no program \.\/missing/);
    refused({ command: ["/"] }, /^the command \/ is not a file$/);
    refused(
      { command: [script(place, "old.sh", "#!/nonexistent/interp -x\necho 1\n")] },
      /^the command \.\/old\.sh cannot run: there is no "\/nonexistent\/interp", which its first line names$/,
    );
    for (const [name, words] of [
      ["found.sh", "no-such-interp"],
      ["split.sh", "-S no-such-interp -u"],
    ]) {
      refused(
        { command: [script(place, name, `#!/usr/bin/env ${words}\necho 1\n`)] },
        /^the command \.\/\w+\.sh cannot run: there is no program "no-such-interp" on the PATH, which its first line names$/,
      );
    }
    for (const words of ["sh", "-S sh -u", "-i sh", "A=1 sh"]) {
      const command = [script(place, "env.sh", `#!/usr/bin/env ${words}\necho 1\n`)];
      assert.ok(commandEvaluator({ command, cwd: place }));
    }
    mkdirSync(join(place, "folder"));
    for (const program of ["sh", "node"]) {
      refused({ command: [program, "folder"] }, /^folder is a folder: \w+ cannot run it$/);
    }
    writeFileSync(join(place, "folder", "index.js"), "");
    assert.ok(commandEvaluator({ command: ["node", "folder"], cwd: place }));
    refused({ command: [script(place, "windows.sh", "#!/bin/sh\r\necho 1\r\n")] }, /no "\/bin\/sh\\r", which its/);
    refused({ command: ["sh", "nope.sh", "x"] }, /^there is no file nope\.sh for sh to run$/);
    for (const command of [
      ["sh", "-c", "x.sh"],
      ["sh", "plain.sh"],
      ["cat", "new.py"],
      ["sh", "new"],
    ]) {
      assert.ok(commandEvaluator({ command, cwd: place }));
    }
    refused({ answer: "text" as "number" }, /^a command's answer is "number" or \{ numbersFor/);
    refused({ command: ["cat", "a\0b"] }, /zero byte/);
    refused({ cwd: join(place, "nowhere") }, /^there is no folder .*nowhere to run a command in$/);
    refused({ files: ["library.py"] }, /^there is no file library\.py/);
    refused({ context: { x: Number.NaN } }, /^the command's context\.x is NaN/);
    refused({ context: "x".repeat(200_000) }, /put it into a file$/);
    refused({ maxAnswerBytes: 0 }, /^maxAnswerBytes must be/);
  });
});

function closing<Resource extends { close(): void }>(resource: Resource): Resource & Disposable {
  return Object.assign(resource, { [Symbol.dispose]: () => resource.close() });
}
