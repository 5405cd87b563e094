import type { Behaviour } from "./behaviour.ts";
import type { ReceivedCall } from "./received-call.ts";

export function demoAnswer(_call: ReceivedCall): Behaviour {
  return { kind: "answer", content: "demo" };
}
