import {
  CommandError,
  type CommandTemplate,
  fillTemplate,
  namesIn,
  templateProblem,
} from "@coppice/engine/placeholders";

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
  repeat: "which repeat of the measurement it is, from 0: the same for all that are compared, so a seed for them",
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
  setup: everywhere,
  implement: [...ofIdea, "round", "issues"],
  review: [...ofIdea, "round", "issues", "diff"],
  test: [...ofIdea, "round", "diff"],
  sweep: [...ofIdea, "round", "repeat", "results"],
  score: [...ofIdea, "repeat", "results"],
} as const satisfies Readonly<Record<string, readonly Placeholder[]>>;

/** Values for a step's placeholders; one that is absent may not be used. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

/** A program with its arguments, and the variables its placeholders are passed in. */
export interface FilledCommand {
  readonly file: string;
  readonly args: readonly string[];
}

type Command = string | readonly string[];

/** The names in a command's placeholders, known or not. */
export function placeholdersIn(command: Command): readonly Placeholder[] {
  const parts = typeof command === "string" ? [command] : command;
  // Cast: whoever asks has checked the command, or asks for names that there are.
  return parts.flatMap((part) => namesIn(part, () => true)) as Placeholder[];
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
  const variable = parts.join("\n").match(/\$\{(\w+)\}/)?.[1];
  if (variable !== undefined && Object.hasOwn(placeholderMeaning, variable)) {
    return `\${${variable}} is a variable of the shell: write {${variable}} for the placeholder, $${variable} for the variable`;
  }
  return templateProblem(templateOf(command));
}

/** Puts values in, as arguments or as variables of a shell line; refuses a command in which a value would be read as code. */
export function fillIn(command: Command, values: PlaceholderValues): FilledCommand {
  const { command: filled } = fillTemplate(templateOf(command), (name) => {
    const value = values[name as Placeholder];
    if (value === undefined) throw new CommandError(`the placeholder {${name}} has no value here`);
    if (value === "") throw new CommandError(`the placeholder {${name}} is empty`);
    return value;
  });
  return filled.kind === "program" ? filled : { file: "/bin/sh", args: ["-c", filled.line] };
}

function templateOf(command: Command): CommandTemplate {
  return {
    command,
    isPlaceholder: () => true,
    folders: ["worktree", "repository", "output", "temp"],
    variable: variableOf,
    untrustedInput: false,
  };
}

/** Variables for a step: `COPPICE_TREE_EVAL_ID` for `{evalId}`. */
export function placeholderVariables(values: PlaceholderValues): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [variableOf(name), value]));
}

function variableOf(name: string): string {
  return `COPPICE_TREE_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
