import { subjectField } from "../agent/known-agents.ts";

/** What an event is about (a tool's name, a session's source), or undefined when matchers do not apply. */
export function subjectOf(event: string, input: Readonly<Record<string, unknown>>): string | undefined {
  const field = subjectField(event);
  const value = field === undefined ? undefined : input[field];
  return typeof value === "string" ? value : undefined;
}

/** How long the patterns of one event may take together. */
export interface Patience {
  leftMs: number;
}

export const USUAL_PATIENCE_MS = 200;

/**
 * Whether a matcher accepts a subject: `*`, empty and absent accept everything, plain words separated by `|` are
 * exact and case-sensitive, anything else is a regular expression that may match anywhere. One that is not valid, or
 * not decided in time, accepts: a guard is never off because its pattern is bad.
 */
export function matches(matcher: string, subject: string | undefined, patience: Patience): boolean {
  if (matcher === "" || matcher === "*" || subject === undefined) return true;
  if (isPlain(matcher)) return matcher.split("|").some((word) => word.trim() === subject);
  if (matcherProblem(matcher) !== undefined) return true;
  return isQuick(matcher, subject) ? new RegExp(matcher).test(subject) : decided(matcher, subject, patience);
}

/** Whether a pattern is decided at once: a short subject, and too few repetitions, none within another, to try many ways. */
function isQuick(matcher: string, subject: string): boolean {
  return subject.length <= 200 && (matcher.match(/[*+{]/g)?.length ?? 0) <= 2 && !/\)[*+?{]|\\[1-9k]/.test(matcher);
}

function decided(matcher: string, subject: string, patience: Patience): boolean {
  // Loaded only for patterns that need a limit: hooks are waited for.
  const { runInThisContext } = process.getBuiltinModule("node:vm");
  const begin = performance.now();
  try {
    const code = `new RegExp(${JSON.stringify(matcher)}).test(${JSON.stringify(subject)})`;
    return runInThisContext(code, { timeout: Math.max(1, Math.ceil(patience.leftMs)) }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return true;
    throw error;
  } finally {
    patience.leftMs -= performance.now() - begin;
  }
}

/** What is to be known about a matcher that is valid; undefined when there is nothing. */
export function matcherRemark(matcher: string): string | undefined {
  if (isPlain(matcher) || !/\([^()]*[*+}][^()]*\)[*+{]/.test(matcher)) return undefined;
  return `a repetition within a repetition may take very long; if it is not decided in ${USUAL_PATIENCE_MS} ms, the hooks run`;
}

/** Why a matcher is not a valid regular expression, if it has to be one and is not. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === "" || matcher === "*" || isPlain(matcher)) return undefined;
  try {
    new RegExp(matcher);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** One matcher that accepts whatever any of the given ones accepts. */
export function unionMatcher(matchers: readonly string[]): string {
  const acceptsAll = (matcher: string) => matcher === "" || matcher === "*" || matcherProblem(matcher) !== undefined;
  if (matchers.length === 0 || matchers.some(acceptsAll)) return "*";
  const words = [...new Set(matchers.filter(isPlain).flatMap((matcher) => matcher.split("|").map((w) => w.trim())))];
  const patterns = [...new Set(matchers.filter((matcher) => !isPlain(matcher)))];
  if (patterns.length === 0) return words.join("|");
  return [...(words.length > 0 ? [`^(?:${words.join("|")})$`] : []), ...patterns.map((p) => `(?:${p})`)].join("|");
}

function isPlain(matcher: string): boolean {
  return /^[\w| ]+$/.test(matcher);
}
