/** Whether a command is the entry `install` writes, in whatever way the program is reached. */
export function isOwnCommand(command: string): boolean {
  return /coppice[^\s"']*["']?\s+hooks\s+run\s+[A-Za-z]+\s*$/.test(command);
}
