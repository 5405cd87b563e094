import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSeasons, HORIZONS, startingBaseline, writeBaseline, writeSeasonFiles } from "@coppice/projections";
import { coppice, type Ended } from "./coppice.ts";
import { shownIn } from "./exported-page.ts";

/** A folder with two invented seasons and a baseline, in which commands are run. */
export class TuneFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "coppice-tune-"));
  readonly data = join(this.folder, "data");
  readonly baseline = join(this.folder, "baseline");
  /** The data and the baseline, in the process of the command. */
  readonly small: readonly string[] = ["--data", this.data, "--baseline", this.baseline, "--pool", "inline"];

  constructor() {
    writeSeasonFiles(this.data, generateSeasons(31, ["2101", "2102"]));
    const { league, horizons } = startingBaseline();
    writeBaseline(
      this.baseline,
      league,
      HORIZONS.map((horizon) => ({
        horizon,
        name: horizon.name,
        description: horizon.title,
        parameters: horizons[horizon.name] ?? {},
        metrics: null,
      })),
    );
  }

  /** Types `coppice …` in the folder. */
  coppice(...args: readonly string[]): Promise<Ended> {
    return coppice(this.folder, args);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Names and contents of a folder's files; of a page, which also says when and by whom, what its tool shows. */
export function contents(path: string): Readonly<Record<string, string>> {
  const read = (file: string) =>
    file.endsWith(".html") ? JSON.stringify(shownIn(file).view) : readFileSync(file, "utf8");
  return Object.fromEntries(readdirSync(path).map((name) => [name, read(join(path, name))]));
}
