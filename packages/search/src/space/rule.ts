import { UsageError } from "@coppice/engine/usage-error";
import type { ParameterValue } from "../tournament/parameter.ts";
import type { Constraint, NamedValues } from "./search-space.ts";

/**
 * A constraint as a file has it: `width * depth <= 512 and (kind == "a" or not deep)`. Numbers, texts, true and false,
 * names of parameters, + - * /, comparisons, and, or, not, brackets; nothing that could run. A comparison or a sum with a
 * parameter that does not exist at a point is left out: the rule holds there.
 */
export function ruleOf(where: string, says: string, names: readonly string[]): Constraint {
  const fail = (why: string): never => {
    throw new UsageError(`${where}: constraint ${JSON.stringify(says)}: ${why}`);
  };
  const words =
    says.match(
      /\s+|"[^"]*"|'[^']*'|\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|[\p{L}_][\p{L}\p{N}_.-]*|<=|>=|==|!=|[-+*/()<>]|./giu,
    ) ?? [];
  const tokens = words.filter((word) => word.trim() !== "");
  let at = 0;
  const taken = (...wanted: readonly string[]): string | undefined =>
    wanted.includes(tokens[at] ?? "") ? tokens[at++] : undefined;

  const atom = (): Term => {
    const token = tokens[at++];
    if (token === undefined) return fail("it ends too early");
    if (token === "(") {
      const inner = either();
      if (taken(")") === undefined) fail("a bracket is not closed");
      return inner;
    }
    if (token === "-") {
      const inner = atom();
      return (values) => negative(inner(values));
    }
    if (/^["']/.test(token) && token.length > 1) return () => token.slice(1, -1);
    if (/^[\d.]/.test(token)) return () => Number(token);
    if (token === "true" || token === "false") return () => token === "true";
    if (names.includes(token)) return (values) => (Object.hasOwn(values, token) ? values[token] : undefined);
    return fail(`${token} is neither a parameter (${names.join(", ")}) nor anything else that is known`);
  };
  const chain = (part: () => Term, operators: Readonly<Record<string, Operation>>): Term => {
    let left = part();
    for (;;) {
      const operator = taken(...Object.keys(operators));
      if (operator === undefined) return left;
      const [a, b] = [left, part()];
      left = (values) => operators[operator](a(values), b(values));
    }
  };
  const product = () => chain(atom, { "*": numeric((a, b) => a * b), "/": numeric((a, b) => a / b) });
  const sum = () => chain(product, { "+": numeric((a, b) => a + b), "-": numeric((a, b) => a - b) });
  const comparison = () => chain(sum, COMPARISONS);
  const negation = (): Term => {
    if (taken("not") === undefined) return comparison();
    const inner = negation();
    return (values) => unlessMissing(inner(values), (value) => value !== true);
  };
  const both = () => chain(negation, { and: (a, b) => a !== false && b !== false });
  const either = (): Term => chain(both, { or: (a, b) => a !== false || b !== false });

  const whole = either();
  if (at < tokens.length) fail(`${tokens[at]} is not expected there`);
  return { says, holds: (values) => whole(values) !== false };
}

type Value = ParameterValue | undefined;
type Term = (values: NamedValues) => Value;
type Operation = (a: Value, b: Value) => Value;

const COMPARISONS: Readonly<Record<string, Operation>> = {
  "<=": compared((a, b) => a <= b),
  ">=": compared((a, b) => a >= b),
  "==": compared((a, b) => a === b),
  "!=": compared((a, b) => a !== b),
  "<": compared((a, b) => a < b),
  ">": compared((a, b) => a > b),
};

function compared(holds: (a: ParameterValue, b: ParameterValue) => boolean): Operation {
  return (a, b) => (a === undefined || b === undefined ? undefined : holds(a, b));
}

function numeric(result: (a: number, b: number) => number): Operation {
  return (a, b) => (a === undefined || b === undefined ? undefined : result(Number(a), Number(b)));
}

function negative(value: Value): Value {
  return unlessMissing(value, (known) => -Number(known));
}

function unlessMissing(value: Value, result: (known: ParameterValue) => ParameterValue): Value {
  return value === undefined ? undefined : result(value);
}
