import type { RunEvent } from "@coppice/engine";
import { announcement } from "@coppice/engine/display";
import type { RunReader } from "@coppice/engine/session";
import { tell } from "../print.ts";

/** Says what goes wrong, and nothing else. */
export class TroubleReader implements RunReader {
  see(event: RunEvent): void {
    const said = announcement(event);
    if (said?.kind === "trouble" || event.type === "note") for (const line of said?.lines ?? []) tell(line);
  }

  async close(): Promise<void> {}
}
