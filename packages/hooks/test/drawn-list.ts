import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ChildRun, Ending } from "@coppice/engine/child-process";
import fc from "fast-check";
import { readAnswer } from "../src/merge/answer.ts";
import { mergeAnswers } from "../src/merge/merge-answers.ts";
import { readEventSettings } from "../src/settings/read-settings.ts";
import { placesOf } from "../src/settings/scopes.ts";
import { type Answered, TemporaryProject } from "./temporary-project.ts";

/** What a drawn hook does after it has read and written; `hang` never gets that far. */
const ACTS = [
  "silent",
  "text",
  "context",
  "exit2",
  "block",
  "stop",
  "deny",
  "ask",
  "allow",
  "rewrite",
  "message",
  "fail",
  "killed",
  "hang",
  "missing",
] as const;

const FILES = ["f0", "f1", "f2", "f3"] as const;
const EVENTS = ["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] as const;

/** One hook of a drawn list. */
interface DrawnHook {
  readonly act: (typeof ACTS)[number];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Whether the list says what it touches. */
  readonly declared: boolean;
  /** Positions of hooks it waits for, modulo the length of the list. */
  readonly after: readonly number[];
  readonly chain: boolean;
  readonly onFailure: "pass" | "block";
  /** Hundredths of a second between its reading and its writing. */
  readonly pause: number;
}

/** A list of hooks of one event, and how it is run. */
export interface DrawnList {
  readonly event: (typeof EVENTS)[number];
  readonly hooks: readonly DrawnHook[];
  readonly onBlock: "finish" | "stop";
  readonly concurrency: number;
  /** Milliseconds for which this process sees nothing, again and again, while the hooks run. */
  readonly blindMs: number;
}

const often = <Value>(usual: Value, rare: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 4 }, { arbitrary: rare, weight: 1 });

/** A hang takes its whole time limit, so it is drawn less often than the rest. */
const drawnHook: fc.Arbitrary<DrawnHook> = fc.record({
  act: fc.oneof(
    { arbitrary: fc.constantFrom(...ACTS), weight: 2 },
    { arbitrary: fc.constantFrom(...ACTS.slice(0, 13)), weight: 8 },
  ),
  reads: fc.subarray([...FILES], { maxLength: 2 }),
  writes: fc.subarray([...FILES], { maxLength: 2 }),
  declared: often(true, fc.constant(false)),
  after: often<readonly number[]>([], fc.array(fc.nat(7), { maxLength: 2 })),
  chain: fc.boolean(),
  onFailure: fc.constantFrom("pass", "block"),
  pause: often(0, fc.integer({ min: 1, max: 4 })),
});

export const drawnList: fc.Arbitrary<DrawnList> = fc.record({
  event: fc.constantFrom(...EVENTS),
  hooks: fc.array(drawnHook, { minLength: 2, maxLength: 7 }),
  onBlock: often<"finish" | "stop">("finish", fc.constant("stop")),
  concurrency: fc.constantFrom(1, 2, 50),
  blindMs: often(0, fc.integer({ min: 20, max: 120 })),
});

/** Reads, pauses, writes in two steps, then acts; what it says shows what it was given and what it has read. */
const SCRIPT = `#!/bin/sh
name=$1 reads=$2 writes=$3 act=$4 pause=$5
input=$(cat)
given=\${input##*'"n":"'}
given=\${given%%'"'*}
[ "$act" = hang ] && exec sleep 60
saw=
for file in $reads; do
  line=
  [ -f "$file" ] && read -r line <"$file"
  saw="$saw$file=$line;"
done
for file in $writes; do echo half >"$file"; done
[ "$pause" = 0 ] || sleep "$pause"
for file in $writes; do echo "$name<$saw>" >"$file"; done
said="$name was given $given and saw $saw"
specific() { echo "{\\"hookSpecificOutput\\":{$1}}"; }
case $act in
  text) echo "$said" ;;
  context) specific "\\"additionalContext\\":\\"$said\\"" ;;
  exit2) echo "$said" >&2; exit 2 ;;
  block) echo "{\\"decision\\":\\"block\\",\\"reason\\":\\"$said\\"}" ;;
  stop) echo "{\\"continue\\":false,\\"stopReason\\":\\"$said\\"}" ;;
  deny | ask | allow) specific "\\"permissionDecision\\":\\"$act\\",\\"permissionDecisionReason\\":\\"$said\\"" ;;
  rewrite) specific "\\"permissionDecision\\":\\"allow\\",\\"updatedInput\\":{\\"n\\":\\"$given+$name\\"}" ;;
  message) echo "{\\"systemMessage\\":\\"$said\\"}" ;;
  fail) echo "$said" >&2; exit 3 ;;
  killed) kill -9 $$ ;;
esac
exit 0
`;

/** Long enough for a machine under load to start a program, short for a test. */
const HANG_SECONDS = 0.2;

/** What an event led to. */
export interface Effect {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

/** A project whose event has a drawn list of hooks. */
export class DrawnProject extends TemporaryProject {
  readonly #list: DrawnList;

  constructor(list: DrawnList) {
    super();
    this.#list = list;
    this.write("hook.sh", SCRIPT);
    const entries = list.hooks.map((hook, index) => {
      const { act, reads, writes, after, chain, onFailure, pause } = hook;
      const names = after.map((position) => `h${position % list.hooks.length}`);
      return {
        name: `h${index}`,
        command: act === "missing" ? `./gone${index}.sh` : "./hook.sh",
        args: [`h${index}`, reads.join(" "), writes.join(" "), act, pause === 0 ? "0" : `0.0${pause}`],
        ...(hook.declared
          ? { reads: reads.map((file) => `state/${file}`), writes: writes.map((file) => `state/${file}`) }
          : {}),
        after: names,
        chain: chain && names.length > 0,
        onFailure,
        timeout: act === "hang" ? HANG_SECONDS : 120,
      };
    });
    this.configure(list.event, entries, { onBlock: list.onBlock, timing: false });
  }

  /** With Coppice: one by one, or in stages. */
  async effect(serial: boolean): Promise<Effect> {
    this.#reset();
    const { event, concurrency, blindMs } = this.#list;
    const pit = new Int32Array(new SharedArrayBuffer(4));
    const blinding = serial || blindMs === 0 ? undefined : setInterval(() => Atomics.wait(pit, 0, 0, blindMs), 2);
    try {
      const answered = await this.answer(event, this.#input(), { serial, concurrency });
      return this.#effectOf(answered);
    } finally {
      clearInterval(blinding);
    }
  }

  /** Without Coppice's running: a plain loop over the list that waits for each process. */
  effectOfPlainLoop(): Effect {
    this.#reset();
    const { event } = this.#list;
    const input = { session_id: "s1", hook_event_name: event, ...this.#input() };
    const rewritten = new Map<string, unknown>();
    const { hooks } = readEventSettings(event, placesOf(this.dir, this.env));
    const answers = hooks.map((hook) => {
      const given = hook.chain
        ? hooks.findLast(({ name }) => hook.after.includes(name) && rewritten.has(name))
        : undefined;
      const fields = given === undefined ? input : { ...input, tool_input: rewritten.get(given.name) };
      const answer = readAnswer(
        hook,
        plainly(hook.command, hook.args ?? [], hook.timeoutMs, JSON.stringify(fields), this),
      );
      const specific = answer.json?.hookSpecificOutput as { updatedInput?: unknown } | undefined;
      if (specific?.updatedInput !== undefined) rewritten.set(hook.name, specific.updatedInput);
      return answer;
    });
    return this.#effectOf(mergeAnswers(event, answers));
  }

  /** Whether the list's order is the order in which its hooks run one by one. */
  get inListOrder(): boolean {
    const { hooks } = this.#list;
    return hooks.every(({ after }, index) => after.every((position) => position % hooks.length < index));
  }

  #input(): object {
    return { cwd: join(this.dir, "state"), prompt: "p", tool_name: "Bash", tool_input: { n: "0" } };
  }

  #reset(): void {
    rmSync(join(this.dir, "state"), { recursive: true, force: true });
    this.write("state/f0", "start\n");
    this.write("state/hook.sh", SCRIPT);
  }

  #effectOf({ exitCode, stdout, stderr }: Pick<Answered, "exitCode" | "stdout" | "stderr">): Effect {
    const files = readdirSync(join(this.dir, "state")).sort();
    return {
      exitCode,
      stdout,
      stderr,
      files: Object.fromEntries(files.map((file) => [file, this.read(`state/${file}`)])),
    };
  }
}

function plainly(
  file: string,
  args: readonly string[],
  timeoutMs: number,
  input: string,
  project: DrawnProject,
): ChildRun {
  const cwd = join(project.dir, "state");
  const env = { ...project.env, CLAUDE_PROJECT_DIR: project.dir };
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, { cwd, env, input, timeout: timeoutMs });
  const output = (bytes: Buffer | null) => ({ bytes: bytes ?? Buffer.alloc(0), totalBytes: bytes?.length ?? 0 });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const ending: Ending =
    code === "ENOENT"
      ? { kind: "unstartable", code: 127, reason: `${file}: not found` }
      : code === "ETIMEDOUT"
        ? { kind: "timeout", timeoutMs }
        : status === null
          ? { kind: "signalled", signal: signal ?? "" }
          : { kind: "exited", code: status };
  return { ending, stdout: output(stdout), stderr: output(stderr) };
}
