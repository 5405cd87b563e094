import { parsedJson } from "@coppice/engine/values";
import type { Cost } from "../contract.ts";

/** Where in what a program prints its reply, its session and its price are. */
export interface AnswerMap {
  /** What counts as the step's output, instead of all it printed. */
  readonly reply?: string;
  readonly session?: string;
  readonly money?: string;
  /** Added up. */
  readonly tokens?: readonly string[];
  /** Something other than false, null or nothing here fails the step; of several places the first that has it. */
  readonly error?: string | readonly string[];
}

/** What a program said, as its map finds it. */
interface AgentAnswer {
  readonly reply: string | undefined;
  readonly session: string | undefined;
  readonly cost: Cost;
  /** Why the step failed although its program ended well. */
  readonly error: string | undefined;
}

/**
 * Reads what a program printed; undefined where it holds no such place. Of a program that failed, why may be in its
 * complaint, what it wrote to its standard error.
 */
export function readAnswer(printed: string, map: AnswerMap, complaint?: string): AgentAnswer {
  const documents = documentsIn(printed);
  const find = (path: string | undefined) => (path === undefined ? [] : found(path, documents, printed));
  const reply = find(map.reply).at(-1);
  const session = find(map.session).at(-1);
  const complained = documentsIn(complaint ?? "");
  const error = [map.error ?? []]
    .flat()
    .map((path) => find(path).at(-1) ?? found(path, complained, complaint ?? "").at(-1))
    .find(isError);
  const missing = map.reply !== undefined && reply === undefined && complaint === undefined;
  return {
    reply: reply === undefined ? undefined : textOf(reply),
    session: session === undefined || session === null ? undefined : textOf(session),
    cost: { money: numberIn(find(map.money)), tokens: sum((map.tokens ?? []).map((path) => numberIn(find(path)))) },
    error: isError(error) ? textOf(error) : missing ? `there is no ${map.reply} in what it printed` : undefined,
  };
}

/** What is wrong with a path, in a few words; undefined when it can be read. */
export function pathProblem(path: string): string | undefined {
  if (path.startsWith("/") && path.endsWith("/") && path.length > 2) {
    try {
      new RegExp(path.slice(1, -1));
      return undefined;
    } catch (error) {
      return `is not a regular expression: ${error instanceof Error ? error.message : error}`;
    }
  }
  return PATH.test(path)
    ? undefined
    : "must be a path such as .result, .usage.output_tokens or [type=result].text, or a /regular expression/";
}

const PATH = /^(\[[\w.]+=[^\]]*\])*(\.[\w-]+|\.\*|\[\d+\])+$/;

/** One JSON document, one per line, or indented ones between lines; what is none is chatter. */
function documentsIn(printed: string): readonly unknown[] {
  const whole = parsedJson(printed);
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  const lines = printed
    .split(/^(\{\n[\s\S]*?\n\})$/m)
    .flatMap((part) => (part.startsWith("{\n") ? part : part.split("\n")));
  return lines.flatMap((line) => parsedJson(line) ?? []);
}

/** Everything that a path leads to, in the order it was printed. `.*` is every field; a regular expression finds its group. */
function found(path: string, documents: readonly unknown[], printed: string): readonly unknown[] {
  if (path.startsWith("/")) {
    return [...printed.matchAll(new RegExp(path.slice(1, -1), "gm"))].map(([all, group]) => group ?? all);
  }
  const filters = [...path.matchAll(/\[([\w.]+)=([^\]]*)\]/g)].map(([, field, value]) => ({ field, value }));
  const steps = path.replace(/^(\[[\w.]+=[^\]]*\])*/, "").match(/\.\*|\.[\w-]+|\[\d+\]/g) ?? [];
  const wanted = documents.filter((each) =>
    filters.every(({ field, value }) => valuesAt(each, field.split(".")).some((there) => String(there) === value)),
  );
  const names = steps.map((step) => step.replace(/^\.|^\[|\]$/g, ""));
  return wanted.flatMap((each) => valuesAt(each, names)).filter((value) => value !== undefined);
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const inner = name === "*" ? Object.values(value) : Object.hasOwn(value, name) ? [Reflect.get(value, name)] : [];
  return inner.flatMap((each) => valuesAt(each, rest));
}

/** Budgets only ever shrink; `1.2k` and `$0.03` are what programs print for people. */
function numberIn(values: readonly unknown[]): number {
  return sum(
    values.map((value) => {
      const [, digits = "", thousands = ""] = /^\$?([\d.,]+)\s*([kM]?)$/.exec(String(value).trim()) ?? [];
      const number = Number(digits.replaceAll(",", "")) * (thousands === "k" ? 1e3 : thousands === "M" ? 1e6 : 1);
      return digits !== "" && Number.isFinite(number) ? number : 0;
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isError(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
