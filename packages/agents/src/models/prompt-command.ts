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

/** Why a command cannot be given prompts, in one line; undefined when it can. */
export function promptCommandProblem(command: string): string | undefined {
  const variable = "$" + "{prompt}";
  if (command.includes(variable)) return `${variable} is a variable of the shell: write {prompt}`;
  return templateProblem(templateOf(command));
}

/** The command with a prompt in place of `{prompt}`; one without that place reads it. */
export function givePrompt(command: string, prompt: string): FilledTemplate & { readonly input: string } {
  const template = templateOf(command);
  try {
    if (template.untrustedInput) return { ...fillTemplate(template, () => ""), input: prompt };
    if (/^-+\w/.test(prompt) && OWN_ARGUMENT.test(command)) {
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

function templateOf(command: string): CommandTemplate {
  return {
    command,
    isPlaceholder: (name) => name === "prompt",
    folders: [],
    variable: () => "COPPICE_PROMPT",
    environment: process.env,
    untrustedInput: !command.replaceAll("{{prompt}}", "").includes("{prompt}"),
  };
}
