export type { Behaviour } from "./behaviour.ts";
export { demoAnswer } from "./demo-answer.ts";
export { PracticeServer, type PracticeServerOptions, type Quota } from "./practice-server.ts";
export { instructions, question, type ReceivedCall } from "./received-call.ts";
