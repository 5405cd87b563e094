import type { RunEvent } from "../contract/event.ts";

/** Something that follows a run for people. It never holds the run up and cannot change it. */
export interface RunReader {
  see(event: RunEvent): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}
