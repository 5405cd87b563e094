import { Argument, type Command } from "commander";
import { withExample } from "../options/run-options.ts";

/** Adds `coppice completion`. */
export function registerCompletion(program: Command): void {
  const command = program
    .command("completion")
    .description("print a script that lets a shell complete commands, options, values, files and runs")
    .addArgument(new Argument("<shell>", "for which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      `
Where shells look for it (make it again after an update):
  bash  coppice completion bash > ~/.local/share/bash-completion/completions/coppice
  zsh   coppice completion zsh > "\${fpath[1]}/_coppice"
  fish  coppice completion fish > ~/.config/fish/completions/coppice.fish`,
    );
  withExample(command, "coppice completion bash").action(async (shell) =>
    (await import("./completion.ts")).printCompletion(shell),
  );
}
