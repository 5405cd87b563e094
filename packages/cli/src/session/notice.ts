/** One line for people, beside whatever a command prints for programs. */
export function notice(line: string): void {
  process.stderr.write(`coppice: ${line}\n`);
}
