import { announcement } from "@coppice/engine/display";
import type { RunReader } from "@coppice/engine/session";
import { tell } from "../print.ts";

/** Says what goes wrong, and nothing else; `before` ends a line that is being written. */
export function troubleReader(before: () => void): RunReader {
  return {
    see: (event) => {
      const said = announcement(event);
      if (said?.kind !== "trouble" && event.type !== "note") return;
      before();
      for (const line of said?.lines ?? []) tell(line);
    },
    close: async () => {},
  };
}
