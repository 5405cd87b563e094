import { isDeepStrictEqual } from "node:util";
import { type Answer, fieldsOf } from "./answer.ts";

/** What the agent is told for the whole event. */
export interface Merged {
  readonly exitCode: 0 | 2;
  /** One JSON object. */
  readonly stdout: string;
  readonly stderr: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * One answer from many, all in list order, whatever order they came in. Strongest first: `continue: false`, a block
 * by exit code 2, deny, ask, allow. With an exit code of 2 the agent reads nothing but standard error, so it is used
 * only when nobody asks for a full stop; without `exitCodes` a block is always said in JSON.
 */
export function mergeAnswers(
  event: string,
  answers: readonly Answer[],
  notices: readonly string[] = [],
  exitCodes = true,
): Merged {
  const stops = answers.filter((answer) => answer.json?.continue === false);
  const blocks = answers.map((answer) => blockReason(answer, event)).filter((reason) => reason !== undefined);
  const exits = answers.some((answer) => answer.block !== undefined);
  if (exits && exitCodes && stops.length === 0)
    return { exitCode: 2, stdout: "{}\n", stderr: `${blocks.join("\n")}\n` };

  const conflicts: string[] = [];
  const output: Record<string, unknown> = {};
  if (stops.length > 0) {
    output.continue = false;
    const reasons = texts(stops.map((answer) => answer.json?.stopReason));
    if (reasons.length > 0) output.stopReason = reasons.join("\n");
  }
  const jsons = answers.map((answer) => answer.json).filter((json) => json !== undefined);
  if (jsons.length > 0 && jsons.every((json) => json.suppressOutput === true)) output.suppressOutput = true;

  const specific = mergeSpecific(event, answers, blocks, exits, conflicts);
  if (event !== "PreToolUse" && blocks.length > 0) {
    output.decision = "block";
    output.reason = blocks.join("\n");
  }
  for (const [key, value] of otherFields(answers, (answer) => answer.json, TOP_LEVEL, conflicts)) output[key] = value;
  if (Object.keys(specific).length > 0) output.hookSpecificOutput = { hookEventName: event, ...specific };

  const failures = answers.map((answer) => answer.failure).filter((failure) => failure !== undefined);
  const said = [...notices, ...failures, ...conflicts];
  const messages = [...texts(jsons.map((json) => json.systemMessage)), ...said];
  if (messages.length > 0) output.systemMessage = messages.join("\n");
  return { exitCode: 0, stdout: `${JSON.stringify(output)}\n`, stderr: said.map((line) => `${line}\n`).join("") };
}

const TOP_LEVEL = new Set([
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
]);
const SPECIFIC = new Set([
  "hookEventName",
  "additionalContext",
  "permissionDecision",
  "permissionDecisionReason",
  "decision",
]);

/** Why an answer blocks, or undefined when it does not. */
function blockReason(answer: Answer, event: string): string | undefined {
  if (answer.block !== undefined) return answer.block;
  const json = answer.json;
  const specific = fieldsOf(json?.hookSpecificOutput);
  if (json?.decision === "block") return reasonOr(json.reason, answer);
  if (event !== "PreToolUse" || specific?.permissionDecision !== "deny") return undefined;
  return reasonOr(specific.permissionDecisionReason, answer);
}

function reasonOr(reason: unknown, answer: Answer): string {
  return typeof reason === "string" && reason !== "" ? reason : `${answer.name} blocked without giving a reason`;
}

function mergeSpecific(
  event: string,
  answers: readonly Answer[],
  blocks: readonly string[],
  exits: boolean,
  conflicts: string[],
): Fields {
  const merged: Record<string, unknown> = {};
  const specificOf = (answer: Answer): Fields | undefined => fieldsOf(answer.json?.hookSpecificOutput);
  const others = otherFields(answers, specificOf, SPECIFIC, conflicts);
  if (event === "PreToolUse") Object.assign(merged, mergePermission(answers, blocks, conflicts.length > 0));
  const decision = mergeDecision(answers, conflicts);
  if (decision !== undefined) merged.decision = decision;
  for (const [key, value] of others) merged[key] = value;
  // A block through the exit code drops every context, as it would have without us.
  const contexts = exits ? [] : answers.flatMap((answer) => contextsOf(answer));
  if (contexts.length > 0) merged.additionalContext = contexts.join("\n");
  return merged;
}

/** deny > ask > allow, with the reasons of those who said the strongest. An allow for a disputed input is not passed on. */
function mergePermission(answers: readonly Answer[], blocks: readonly string[], disputed: boolean): Fields {
  if (blocks.length > 0) return { permissionDecision: "deny", permissionDecisionReason: blocks.join("\n") };
  for (const wanted of ["ask", "allow"] as const) {
    if (wanted === "allow" && disputed) continue;
    const saying = answers.filter((answer) => permissionOf(answer) === wanted);
    if (saying.length === 0) continue;
    const reasons = texts(
      saying.map(
        (answer) => fieldsOf(answer.json?.hookSpecificOutput)?.permissionDecisionReason ?? answer.json?.reason,
      ),
    );
    return {
      permissionDecision: wanted,
      ...(reasons.length > 0 ? { permissionDecisionReason: reasons.join("\n") } : {}),
    };
  }
  return {};
}

/** The permission an answer gives; `approve` is how older hooks say allow. */
function permissionOf(answer: Answer): unknown {
  const given = fieldsOf(answer.json?.hookSpecificOutput)?.permissionDecision;
  return given ?? (answer.json?.decision === "approve" ? "allow" : undefined);
}

/** Decisions that are objects (`{behavior: "deny"}`): a deny wins, allows must agree. */
function mergeDecision(answers: readonly Answer[], conflicts: string[]): unknown {
  const given = answers
    .map((answer) => ({ answer, decision: fieldsOf(fieldsOf(answer.json?.hookSpecificOutput)?.decision) }))
    .filter(({ decision }) => decision !== undefined);
  const deny = given.find(({ decision }) => decision?.behavior === "deny");
  if (deny !== undefined) return deny.decision;
  const first = given[0];
  const other = given.find(({ decision }) => !isDeepStrictEqual(decision, first?.decision));
  if (other === undefined) return first?.decision;
  conflicts.push(disagreement("decision", first.answer, other.answer));
  return undefined;
}

/** Fields with no rule of their own: one value, or the same from all, or a declared chain; otherwise nobody's. */
function otherFields(
  answers: readonly Answer[],
  fields: (answer: Answer) => Fields | undefined,
  ruled: ReadonlySet<string>,
  conflicts: string[],
): readonly (readonly [string, unknown])[] {
  const byKey = new Map<string, Answer[]>();
  for (const answer of answers) {
    for (const key of Object.keys(fields(answer) ?? {})) {
      if (!ruled.has(key)) byKey.set(key, [...(byKey.get(key) ?? []), answer]);
    }
  }
  const agreed: (readonly [string, unknown])[] = [];
  for (const [key, saying] of byKey) {
    const replaced = new Set(saying.flatMap((answer) => answer.replaces));
    const standing = saying.filter((answer) => !replaced.has(answer.name));
    const first = standing[0];
    const value = fields(first)?.[key];
    const other = standing.find((answer) => !isDeepStrictEqual(fields(answer)?.[key], value));
    if (other === undefined) agreed.push([key, value]);
    else conflicts.push(disagreement(key, first, other));
  }
  return agreed;
}

function disagreement(key: string, first: Answer, other: Answer): string {
  return (
    `${first.name} and ${other.name} give different values for ${key}, so neither is used; ` +
    `to let ${other.name} build on ${first.name}, declare {"after": ["${first.name}"], "chain": true} for it`
  );
}

function contextsOf(answer: Answer): readonly string[] {
  const context = fieldsOf(answer.json?.hookSpecificOutput)?.additionalContext;
  return texts([answer.text, context]);
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value): value is string => typeof value === "string" && value !== "");
}
