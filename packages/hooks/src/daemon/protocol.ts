import type { PlannedEvent } from "../plan/plan-event.ts";
import type { ModuleContext, ModuleReply } from "./module-call.ts";

/** One line of JSON from a client. Every line carries the token: a connection is nothing to trust. */
export type DaemonRequest = { readonly id: number; readonly token: string } & (
  | ({
      readonly op: "module";
      readonly path: string;
      readonly input: string;
      readonly timeoutMs: number;
    } & ModuleContext)
  | {
      readonly op: "plan";
      readonly event: string;
      /** Of the event's input only what matchers look at. */
      readonly fields: Readonly<Record<string, unknown>>;
      readonly projectDir: string;
      readonly env: ModuleContext["env"];
    }
  | { readonly op: "ping" }
  | { readonly op: "stop" }
);

/** One line of JSON from the daemon. */
export type DaemonReply =
  | { readonly id: number; readonly kind: "replied"; readonly reply: Omit<ModuleReply, "id"> }
  | { readonly id: number; readonly kind: "timeout" }
  | { readonly id: number; readonly kind: "ended"; readonly reason: string }
  | { readonly id: number; readonly kind: "planned"; readonly planned: PlannedEvent }
  | { readonly id: number; readonly kind: "pong"; readonly pid: number; readonly modules: number }
  | { readonly id: number; readonly kind: "refused"; readonly reason: string };

/** Splits a stream of text into lines; the last, unfinished one waits for its end. */
export function lineReader(onLine: (line: string) => void): (chunk: string) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onLine(line);
  };
}
