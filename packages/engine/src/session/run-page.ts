import { writeDurably } from "../files/write-whole.ts";

/** The name of the page in a run's directory. */
export const PAGE_NAME = "report.html";

/** Writes the page of a run to each of these paths. One that cannot be made is no reason to lose a result: the journal has it all. */
export async function writeRunPage(
  directory: string,
  paths: readonly string[],
  make: (directory: string) => Promise<string>,
): Promise<void> {
  if (paths.length === 0) return;
  try {
    const page = await make(directory);
    for (const path of paths) writeDurably(path, page);
  } catch (error) {
    process.emitWarning(`the run's page could not be written: ${error instanceof Error ? error.message : error}`);
  }
}
