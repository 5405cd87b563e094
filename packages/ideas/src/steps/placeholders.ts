/** What a step's command may refer to, and what each stands for. Every one is also a variable of the step. */
export const placeholderMeaning = {
  worktree: "folder with the code to change or measure; the step's working directory",
  idea: "file with the idea's text",
  ideaName: "the idea's file name",
  baseline: "results of the parent node",
  results: "file the sweep writes its results to",
  evalId: "the evaluation's number, at least four digits",
  node: "the parent node's number, at least four digits",
  depth: "depth of the parent node, 0 for the root",
  round: "review round, from 0",
  issues: "file with the reviewer's issues of the round before; empty in round 0",
  diff: "file with the change to be reviewed",
  commit: "commit the idea is applied to",
  repository: "the repository's main folder",
  output: "folder for whatever else the step wants to keep",
  temp: "folder for temporary files, removed after the evaluation",
  limit: "number of configurations a sweep must measure",
  usage: "file to which the step may write what it spent, as JSON: { money, tokens }",
  ideas: "folder the generator writes idea files to",
  count: "how many ideas are wanted",
  context: "JSON file with what is known: metrics, accepted ideas, what was tried",
  conversationIn: "JSON file with what was said before on this branch: session, summary, turns",
  conversationOut: "file to which the generator may write what is said now, as JSON",
  conversationText: "the same as {conversationIn}, as markdown to put before a prompt",
} as const;

export type Placeholder = keyof typeof placeholderMeaning;

const everywhere = ["worktree", "node", "depth", "commit", "repository", "output", "temp", "limit", "usage"] as const;
const ofIdea = [...everywhere, "idea", "ideaName", "baseline", "evalId"] as const;

/** Which placeholders each step knows. */
export const stepPlaceholders = {
  ideas: [
    ...everywhere,
    ...(["baseline", "ideas", "count", "context", "conversationIn", "conversationOut", "conversationText"] as const),
  ],
  implement: [...ofIdea, "round", "issues"],
  review: [...ofIdea, "round", "issues", "diff"],
  test: [...ofIdea, "round", "diff"],
  sweep: [...ofIdea, "round", "results"],
  score: [...ofIdea, "results"],
} as const satisfies Readonly<Record<string, readonly Placeholder[]>>;

/** Values for a step's placeholders; one that is absent may not be used. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

/** A command that cannot be: an unknown placeholder, one without a value here, one where the shell would not see it. */
class CommandError extends Error {
  override readonly name = "CommandError";
}

/** A program with its arguments, and the variables its placeholders are passed in. */
export interface FilledCommand {
  readonly file: string;
  readonly args: readonly string[];
}

type Command = string | readonly string[];

/** `{name}`; `{{name}}` stands for itself. Other braces (JSON, shell) are nobody's business. */
const PLACEHOLDER = /\{\{([A-Za-z][A-Za-z0-9]*)\}\}|\{([A-Za-z][A-Za-z0-9]*)\}/g;

/** The names in a command's placeholders, known or not. */
export function placeholdersIn(command: Command): readonly Placeholder[] {
  const parts = typeof command === "string" ? [command] : command;
  const names = parts.flatMap((part) => [...part.matchAll(PLACEHOLDER)].map(([, , name]) => name));
  // Cast: whoever asks has checked the command, or asks for names that there are.
  return names.filter((name) => name !== undefined) as Placeholder[];
}

/** Checks a command before anything is started: what is wrong with it in one line, or undefined. */
export function commandProblem(command: Command, known: readonly Placeholder[]): string | undefined {
  const parts = typeof command === "string" ? [command] : command;
  if ((parts[0] ?? "").trim() === "") return "the command is empty: name a program";
  for (const name of placeholdersIn(command)) {
    if (!known.includes(name)) {
      const names = [...known].sort().map((each) => `{${each}}`);
      return `unknown placeholder {${name}}; this step has ${names.join(" ")} (write {{${name}}} for the text itself)`;
    }
  }
  const nul = parts.find((part) => part.includes("\0"));
  if (nul !== undefined) return "the command contains a zero byte";
  return typeof command === "string" ? quotedPlaceholder(command) : undefined;
}

function quotedPlaceholder(line: string): string | undefined {
  try {
    shellLine(line, () => "");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Puts values in. A list's are arguments as they are; a shell line's are read from variables, so that no value is ever parsed. */
export function fillIn(command: Command, values: PlaceholderValues): FilledCommand {
  const valueFor = (name: string): string => {
    const value = values[name as Placeholder];
    if (value === undefined) throw new CommandError(`the placeholder {${name}} has no value here`);
    if (value === "") throw new CommandError(`the placeholder {${name}} is empty`);
    return value;
  };
  if (typeof command === "string") {
    const line = shellLine(command, (name) => {
      valueFor(name);
      return variableOf(name);
    });
    return { file: "/bin/sh", args: ["-c", line] };
  }
  const [file, ...args] = command.map((part) =>
    part.replace(PLACEHOLDER, (_, literal: string | undefined, name: string) =>
      literal === undefined ? valueFor(name) : `{${literal}}`,
    ),
  );
  return { file, args };
}

/** Variables for a step: `COPPICE_TREE_EVAL_ID` for `{evalId}`. */
export function placeholderVariables(values: PlaceholderValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variableOf(name), value]));
}

function variableOf(name: string): string {
  return `COPPICE_TREE_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** Writes each placeholder as a quoted variable; follows the line's quotes and substitutions to know what is open. */
function shellLine(line: string, variable: (name: string) => string): string {
  let written = "";
  // Inside quotes a substitution `$(…)` begins anew, so what is open is a stack.
  const open: string[] = [];
  for (let i = 0; i < line.length; i++) {
    const inside = open.at(-1);
    const placeholder = /^(?:\{\{([A-Za-z][A-Za-z0-9]*)\}\}|\{([A-Za-z][A-Za-z0-9]*)\})/.exec(line.slice(i, i + 80));
    // `${name}` is the shell's own.
    if (placeholder !== null && line[i - 1] !== "$") {
      const [whole, literal, name] = placeholder;
      if (literal === undefined && inside === "'") {
        throw new CommandError(
          `{${name}} is inside single quotes, where the shell replaces nothing: use double quotes`,
        );
      }
      if (literal !== undefined) written += `{${literal}}`;
      else written += inside === '"' ? `\${${variable(name)}}` : `"\${${variable(name)}}"`;
      i += whole.length - 1;
      continue;
    }
    const character = line[i];
    written += character;
    if (inside === "'") {
      if (character === "'") open.pop();
    } else if (character === "\\") {
      i++;
      written += line[i] ?? "";
    } else if (character === (inside === "(" ? ")" : inside)) open.pop();
    else if (character === '"' || character === "`") open.push(character);
    else if (character === "'" && inside !== '"') open.push(character);
    else if (character === "(" && (inside !== '"' || line[i - 1] === "$")) open.push(character);
  }
  return written;
}
