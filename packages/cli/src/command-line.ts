import "@coppice/cluster/register";
import { Command, CommanderError } from "commander";
import { commands } from "./commands.ts";
import { errorText, exitCode, exitCodeOf } from "./exit-code.ts";
import { ownPackage } from "./own-package.ts";
import { notice } from "./print.ts";
import { typed } from "./session/typed.ts";

/** Runs one `coppice …` line. Sets the process's exit code; wrong usage and failures are one line on standard error. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  ignoreEmptySettings(process.env);
  typed.words = args;
  const program = await programFor(args);
  if (args.length === 0) {
    program.outputHelp();
    return;
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return; // help or version was printed
    const wrong = error instanceof CommanderError ? usageText(error, program, args) : errorText(error);
    notice(`${wrong}`);
    process.exitCode = error instanceof CommanderError ? exitCode.usage : exitCodeOf(error);
  }
}

/** The program with the command that was typed, or with all of them when none was. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command("coppice")
    .description("Expensive searches in parallel, with the same answer every time.")
    .version(ownPackage().version)
    .exitOverride()
    // Commander's own messages come back as errors and are printed in one place.
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError();
  if (args[0] === "--version" || args[0] === "-V") return program;
  const typed = args.find((arg) => !arg.startsWith("-"));
  const load = typed !== undefined && Object.hasOwn(commands, typed) ? commands[typed] : undefined;
  for (const register of load === undefined ? Object.values(commands) : [load]) (await register())(program);
  return program;
}

/** Commander's error as one line: what is wrong, and where help is. */
function usageText(error: CommanderError, program: Command, args: readonly string[]): string {
  const command = typedCommand(program, args);
  const path = pathOf(command);
  if (error.code === "commander.help") {
    const wanted = args[args.indexOf("help") + 1];
    if (args.includes("help") && wanted !== undefined) return `unknown command '${wanted}' (see "${path} --help")`;
    const names = command.commands.map((each) => each.name()).filter((name) => name !== "help");
    return `"${path}" needs a command: ${names.join(", ")} (see "${path} --help")`;
  }
  const line = errorText(error).replace(/^error: /, "");
  return `${line} (see "${path} --help")`;
}

function typedCommand(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((each) => each.name() === arg);
    if (next !== undefined) command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** `COPPICE_WORKERS= coppice …` means not set. */
function ignoreEmptySettings(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (name.startsWith("COPPICE_") && environment[name] === "") delete environment[name];
  }
}
