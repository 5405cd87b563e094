import type { RunEvent } from "@coppice/engine";
import { announcement } from "@coppice/engine/display";
import type { RunReader } from "@coppice/engine/session";
import { tell } from "../print.ts";

/** Says what goes wrong, and nothing else; `before` ends a line that is being written. */
export class TroubleReader implements RunReader {
  readonly #before: () => void;

  constructor(before: () => void) {
    this.#before = before;
  }

  see(event: RunEvent): void {
    const said = announcement(event);
    if (said?.kind !== "trouble" && event.type !== "note") return;
    this.#before();
    for (const line of said?.lines ?? []) tell(line);
  }

  async close(): Promise<void> {}
}
