import { bashScript, fishScript, zshScript } from "@coppice/workbench/completion";
import { programFor } from "../command-line.ts";
import { print } from "../print.ts";
import { completionTable } from "./completion-table.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `coppice completion`: a script that knows every command by itself, so that Tab starts no program. */
export async function printCompletion(shell: keyof typeof scripts): Promise<void> {
  print(scripts[shell](completionTable(await programFor([]))));
}
