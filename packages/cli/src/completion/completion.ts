import { programFor } from "../command-line.ts";
import { print } from "../print.ts";
import { bashScript } from "./bash-script.ts";
import { completionTable } from "./completion-table.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** `coppice completion`: a script that knows every command by itself, so that Tab starts no program. */
export async function printCompletion(shell: keyof typeof scripts): Promise<void> {
  print(scripts[shell](completionTable(await programFor([]))));
}
