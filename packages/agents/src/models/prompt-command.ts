import {
  CommandError,
  type CommandTemplate,
  type FilledTemplate,
  fillTemplate,
  templateProblem,
} from "@coppice/engine/placeholders";
import { ModelError } from "./consultation.ts";

/** Where a prompt is an argument of its own that nothing marks as one. */
const OWN_ARGUMENT = /(?<!\s--\s+["']?)(?<=\s["']?)\{prompt\}/;

/** A command line, or a program and its arguments, which no shell reads. */
export type PromptCommand = string | readonly string[];

/** Why a command cannot be given prompts, in one line; undefined when it can. */
export function promptCommandProblem(command: PromptCommand): string | undefined {
  const variable = "$" + "{prompt}";
  if (typeof command === "string" && command.includes(variable))
    return `${variable} is a variable of the shell: write {prompt}`;
  return templateProblem(templateOf(command));
}

/** The command with a prompt in place of `{prompt}`; one without that place reads it. */
export function givePrompt(command: PromptCommand, prompt: string): FilledTemplate & { readonly input: string } {
  const template = templateOf(command);
  try {
    if (template.untrustedInput) return { ...fillTemplate(template, () => ""), input: prompt };
    if (/^-+\w/.test(prompt) && isOwnArgument(command)) {
      throw new CommandError("the prompt begins with a dash, which the program would take for an option");
    }
    return { ...fillTemplate(template, () => prompt), input: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new ModelError(
      "CommandFailed",
      `${error.message}: leave {prompt} out of the command to send it on standard input`,
    );
  }
}

function isOwnArgument(command: PromptCommand): boolean {
  if (typeof command === "string") return OWN_ARGUMENT.test(command);
  return command.some((word, index) => word.startsWith("{prompt}") && command[index - 1] !== "--");
}

function templateOf(command: PromptCommand): CommandTemplate {
  const words = typeof command === "string" ? [command] : command;
  return {
    command,
    isPlaceholder: (name) => name === "prompt",
    folders: [],
    variable: () => "COPPICE_PROMPT",
    environment: process.env,
    untrustedInput: !words.some((word) => word.replaceAll("{{prompt}}", "").includes("{prompt}")),
  };
}
