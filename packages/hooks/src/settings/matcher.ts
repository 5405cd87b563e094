/** The field of an event's input that matchers are compared with; other events match every group. */
const SUBJECTS: Readonly<Record<string, string>> = {
  PreToolUse: "tool_name",
  PostToolUse: "tool_name",
  PostToolUseFailure: "tool_name",
  PermissionRequest: "tool_name",
  PermissionDenied: "tool_name",
  SessionStart: "source",
  SessionEnd: "reason",
  PreCompact: "trigger",
  PostCompact: "trigger",
  Setup: "trigger",
  Notification: "notification_type",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
};

/** What an event is about (a tool's name, a session's source), or undefined when matchers do not apply. */
export function subjectOf(event: string, input: Readonly<Record<string, unknown>>): string | undefined {
  const field = SUBJECTS[event];
  const value = field === undefined ? undefined : input[field];
  return typeof value === "string" ? value : undefined;
}

/** The input field matchers of the event are compared with, if they mean something for it. */
export function subjectField(event: string): string | undefined {
  return SUBJECTS[event];
}

/**
 * Whether a matcher accepts a subject: `*`, empty and absent accept everything, plain words separated by `|` are
 * exact and case-sensitive, anything else is a regular expression that may match anywhere.
 */
export function matches(matcher: string, subject: string | undefined): boolean {
  if (matcher === "" || matcher === "*" || subject === undefined) return true;
  if (isPlain(matcher)) return matcher.split("|").some((word) => word.trim() === subject);
  return matcherProblem(matcher) === undefined && new RegExp(matcher).test(subject);
}

/** Why a matcher can never match, if it cannot. */
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
  if (matchers.length === 0 || matchers.some((matcher) => matcher === "" || matcher === "*")) return "*";
  const words = [...new Set(matchers.filter(isPlain).flatMap((matcher) => matcher.split("|").map((w) => w.trim())))];
  const patterns = [...new Set(matchers.filter((matcher) => !isPlain(matcher) && !matcherProblem(matcher)))];
  if (patterns.length === 0) return words.join("|");
  return [...(words.length > 0 ? [`^(?:${words.join("|")})$`] : []), ...patterns.map((p) => `(?:${p})`)].join("|");
}

function isPlain(matcher: string): boolean {
  return /^[\w| ]+$/.test(matcher);
}
