import type { ChildRun } from "@coppice/engine/child-process";
import type { Hook } from "../settings/hook.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What one hook has to say, after its exit code and output were read the way the agent reads them. */
export interface Answer {
  readonly name: string;
  /** Names of hooks whose rewriting of the input this one replaces. */
  readonly replaces: readonly string[];
  /** Set when the hook blocks through its exit code (2, or a failure that is declared to block). */
  readonly block: string | undefined;
  /** Set when the hook failed without blocking. */
  readonly failure: string | undefined;
  /** Plain text that becomes context. */
  readonly text: string | undefined;
  readonly json: Fields | undefined;
}

/** Events whose plain standard output becomes context. */
const TEXT_IS_CONTEXT = new Set(["UserPromptSubmit", "SessionStart"]);

/** Reads a hook's exit code and output. */
export function readAnswer(hook: Hook, run: ChildRun): Answer {
  const base = { name: hook.name, replaces: hook.chain ? hook.after : [], block: undefined, failure: undefined };
  const { ending } = run;
  if (ending.kind === "exited" && ending.code === 0) return { ...base, ...readOutput(hook, run) };
  const silent = { text: undefined, json: undefined };
  const said = Buffer.from(run.stderr.bytes).toString("utf8").trim();
  if (ending.kind === "exited" && ending.code === 2) {
    return { ...base, ...silent, block: said === "" ? `${hook.name} blocked without giving a reason` : said };
  }
  const failure = `${hook.name} ${describeFailure(run)}${said === "" ? "" : `: ${said.split("\n")[0]}`}`;
  return hook.onFailure === "block" ? { ...base, ...silent, block: failure } : { ...base, ...silent, failure };
}

/** An answer of our own, said in the place of a hook. */
export function ownAnswer(name: string, said: { text?: string; block?: string; json?: Fields }): Answer {
  return { name, replaces: [], block: said.block, failure: undefined, text: said.text, json: said.json };
}

/** Whether the answer ends the event: a block in any form, or `continue: false`. */
export function endsEvent(answer: Answer): boolean {
  if (answer.block !== undefined) return true;
  const json = answer.json;
  if (json === undefined) return false;
  const specific = fieldsOf(json.hookSpecificOutput);
  const behavior = fieldsOf(specific?.decision)?.behavior;
  return (
    json.continue === false ||
    json.decision === "block" ||
    specific?.permissionDecision === "deny" ||
    behavior === "deny"
  );
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function readOutput(hook: Hook, run: ChildRun): Pick<Answer, "text" | "json" | "failure"> {
  const { bytes, totalBytes } = run.stdout;
  // Bytes that are not UTF-8 become U+FFFD, as everywhere else.
  const text = Buffer.from(bytes).toString("utf8").trim();
  const cut = totalBytes > bytes.length;
  if (text.startsWith("{")) {
    if (cut) {
      const failure = `${hook.name} printed ${totalBytes} bytes of JSON, more than the ${bytes.length} that are kept; it is ignored`;
      return { text: undefined, json: undefined, failure };
    }
    const json = fieldsOf(parse(text));
    if (json !== undefined) return { text: undefined, json, failure: undefined };
  }
  if (!TEXT_IS_CONTEXT.has(hook.event) || text === "") return { text: undefined, json: undefined, failure: undefined };
  const notice = cut ? `\n[${hook.name}: cut after ${bytes.length} of ${totalBytes} bytes]` : "";
  return { text: text + notice, json: undefined, failure: undefined };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeFailure({ ending }: ChildRun): string {
  switch (ending.kind) {
    case "exited":
      return `exited with code ${ending.code}`;
    case "signalled":
      return `was ended by ${ending.signal}`;
    case "timeout":
      return `took longer than its ${ending.timeoutMs / 1000} s and was ended`;
    case "unstartable":
      return `could not be started (${ending.reason})`;
    case "ended":
      return `was ended: ${ending.reason}`;
    default:
      return ending satisfies never;
  }
}
