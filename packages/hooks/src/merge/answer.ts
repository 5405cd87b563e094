import type { ChildRun } from "@coppice/engine/child-process";
import { BLOCK_CODE } from "../agent/agent-format.ts";
import { holdsBack, textIsContext } from "../agent/known-agents.ts";
import { type Fields, fieldsOf, parseFields } from "../json-fields.ts";
import type { Hook } from "../settings/hook.ts";

/** What one hook has to say, after its exit code and output were read the way the agent reads them. */
export interface Answer {
  readonly name: string;
  /** Names of hooks whose rewriting of the input this one replaces. */
  readonly replaces: readonly string[];
  /** Set when the hook blocks through its exit code (2, or a failure that is declared to block). */
  readonly block?: string;
  /** Set when the hook failed without blocking. */
  readonly failure?: string;
  /** Plain text that becomes context. */
  readonly text?: string;
  readonly json?: Fields;
}

/** Reads a hook's exit code and output. */
export function readAnswer(hook: Hook, run: ChildRun): Answer {
  const base = { name: hook.name, replaces: hook.chain ? hook.after : [] };
  const { ending } = run;
  if (ending.kind === "exited" && ending.code === 0) return { ...base, ...readOutput(hook, run) };
  const said = Buffer.from(run.stderr.bytes).toString("utf8").trim();
  if (ending.kind === "exited" && ending.code === BLOCK_CODE) return { ...base, block: said || noReason(hook) };
  const failure = `${hook.name} ${describeFailure(run)}${said === "" ? "" : `: ${said.split("\n")[0]}`}`;
  return hook.onFailure === "block" ? { ...base, block: failure } : { ...base, failure };
}

/** An answer of our own, said in the place of a hook. */
export function ownAnswer(name: string, said: Pick<Answer, "text" | "block" | "json">): Answer {
  return { name, replaces: [], ...said };
}

export function noReason({ name }: { readonly name: string }): string {
  return `${name} blocked without giving a reason`;
}

/** The part of an answer that belongs to its event. */
export function specificOf({ json }: Answer): Fields {
  return fieldsOf(json?.hookSpecificOutput) ?? {};
}

/** Whether the answer ends the event: a block in any form, or `continue: false`. */
export function endsEvent(answer: Answer, event: string): boolean {
  const { block, json } = answer;
  const { permissionDecision, decision } = specificOf(answer);
  const denied = permissionDecision === "deny" || fieldsOf(decision)?.behavior === "deny";
  return block !== undefined || json?.continue === false || holdsBack(event, json?.decision) || denied;
}

function readOutput({ name, event }: Hook, run: ChildRun): Pick<Answer, "text" | "json" | "failure"> {
  const { bytes, totalBytes } = run.stdout;
  // Bytes that are not UTF-8 become U+FFFD, as everywhere else.
  const text = Buffer.from(bytes).toString("utf8").trim();
  const cut = totalBytes > bytes.length;
  if (text.startsWith("{")) {
    const kept = `more than the ${bytes.length} that are kept`;
    if (cut) return { failure: `${name} printed ${totalBytes} bytes of JSON, ${kept}; it is ignored` };
    const json = parseFields(text);
    if (json !== undefined) return { json };
  }
  if (!textIsContext(event) || text === "") return {};
  return { text: cut ? `${text}\n[${name}: cut after ${bytes.length} of ${totalBytes} bytes]` : text };
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
