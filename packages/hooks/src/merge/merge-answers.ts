import { isDeepStrictEqual } from "node:util";
import { holdsBack } from "../agent/known-agents.ts";
import { type Fields, fieldsOf } from "../json-fields.ts";
import { type Answer, noReason, specificOf } from "./answer.ts";

/** What the agent is told for the whole event. */
export interface Merged {
  readonly exitCode: 0 | 2;
  /** One JSON object. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Fields with a rule of their own, at the top and in what belongs to the event. */
const TOP_RULED = "continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput".split(" ");
const SPECIFIC_RULED = "hookEventName additionalContext permissionDecision permissionDecisionReason decision".split(
  " ",
);

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
  const ruled = { ...output, ...otherFields(answers, (answer) => answer.json ?? {}, TOP_RULED, conflicts) };
  if (Object.keys(specific).length > 0) output.hookSpecificOutput = { hookEventName: event, ...specific };

  const failures = answers.map((answer) => answer.failure).filter((failure) => failure !== undefined);
  const said = [...notices, ...failures, ...conflicts];
  const messages = [...texts(jsons.map((json) => json.systemMessage)), ...said];
  if (messages.length > 0) output.systemMessage = messages.join("\n");
  return {
    exitCode: 0,
    stdout: `${JSON.stringify({ ...ruled, ...output })}\n`,
    stderr: said.map((line) => `${line}\n`).join(""),
  };
}

/** Why an answer blocks, or undefined when it does not. */
function blockReason(answer: Answer, event: string): string | undefined {
  const { block, json } = answer;
  if (block !== undefined) return block;
  const { permissionDecision, permissionDecisionReason } = specificOf(answer);
  if (holdsBack(event, json?.decision)) return texts([json?.reason])[0] ?? noReason(answer);
  if (event !== "PreToolUse" || permissionDecision !== "deny") return undefined;
  return texts([permissionDecisionReason])[0] ?? noReason(answer);
}

function mergeSpecific(
  event: string,
  answers: readonly Answer[],
  blocks: readonly string[],
  exits: boolean,
  conflicts: string[],
): Fields {
  const others = otherFields(answers, specificOf, SPECIFIC_RULED, conflicts);
  const permission = event === "PreToolUse" ? mergePermission(answers, blocks, conflicts.length > 0) : {};
  const decision = mergeDecision(answers, conflicts);
  // A block through the exit code drops every context, as it would have without us.
  const said = exits ? [] : answers.flatMap((answer) => [answer.text, specificOf(answer).additionalContext]);
  const contexts = texts(said);
  return {
    ...permission,
    ...(decision === undefined ? {} : { decision }),
    ...others,
    ...(contexts.length === 0 ? {} : { additionalContext: contexts.join("\n") }),
  };
}

/** deny > ask > allow, with the reasons of those who said the strongest. An allow for a disputed input is not passed on. */
function mergePermission(answers: readonly Answer[], blocks: readonly string[], disputed: boolean): Fields {
  if (blocks.length > 0) return { permissionDecision: "deny", permissionDecisionReason: blocks.join("\n") };
  const wanted = (disputed ? ["ask"] : ["ask", "allow"]).find((each) => answers.some((a) => permissionOf(a) === each));
  if (wanted === undefined) return {};
  const saying = answers.filter((answer) => permissionOf(answer) === wanted);
  const reasons = texts(saying.map((answer) => specificOf(answer).permissionDecisionReason ?? answer.json?.reason));
  const reason = reasons.length === 0 ? {} : { permissionDecisionReason: reasons.join("\n") };
  return { permissionDecision: wanted, ...reason };
}

/** The permission an answer gives; `approve` is how older hooks say allow. */
function permissionOf(answer: Answer): unknown {
  return specificOf(answer).permissionDecision ?? (answer.json?.decision === "approve" ? "allow" : undefined);
}

/** Decisions that are objects (`{behavior: "deny"}`): a deny wins, allows must agree. */
function mergeDecision(answers: readonly Answer[], conflicts: string[]): unknown {
  const decisionOf = (answer: Answer): Fields | undefined => fieldsOf(specificOf(answer).decision);
  const saying = answers.filter((answer) => decisionOf(answer) !== undefined);
  const deny = saying.map(decisionOf).find((decision) => decision?.behavior === "deny");
  if (deny !== undefined || saying.length === 0) return deny;
  return agreement("decision", saying, decisionOf, conflicts);
}

/** Fields with no rule of their own: one value, or the same from all, or a declared chain; otherwise none. */
function otherFields(
  answers: readonly Answer[],
  fieldsIn: (answer: Answer) => Fields,
  ruled: readonly string[],
  conflicts: string[],
): Fields {
  const keys = new Set(
    answers.flatMap((answer) => Object.keys(fieldsIn(answer))).filter((key) => !ruled.includes(key)),
  );
  const agreed = new Map<string, unknown>();
  for (const key of keys) {
    const saying = answers.filter((answer) => Object.hasOwn(fieldsIn(answer), key));
    const replaced = new Set(saying.flatMap((answer) => answer.replaces));
    const last = saying.filter((answer) => !replaced.has(answer.name));
    // Hooks that replace each other in a circle leave nobody; then all of them have to agree.
    const value = agreement(key, last.length === 0 ? saying : last, (answer) => fieldsIn(answer)[key], conflicts);
    if (value !== undefined) agreed.set(key, value);
  }
  // Not assigned: `__proto__` is a field like any other.
  return Object.fromEntries(agreed);
}

/** The value all of them give; if they differ, a conflict and no value. */
function agreement(
  key: string,
  [first, ...others]: readonly Answer[],
  said: (answer: Answer) => unknown,
  conflicts: string[],
): unknown {
  const value = said(first);
  const other = others.find((answer) => !isDeepStrictEqual(said(answer), value));
  if (other === undefined) return value;
  conflicts.push(
    `${first.name} and ${other.name} give different values for ${key}, so neither is used; ` +
      `to let ${other.name} build on ${first.name}, declare {"after": ["${first.name}"], "chain": true} for it`,
  );
  return undefined;
}

function texts(values: readonly unknown[]): readonly string[] {
  return values.filter((value): value is string => typeof value === "string" && value !== "");
}
