export type { AnswerBehaviour, Behaviour } from "./behaviour.ts";
export { demoAnswer } from "./demo-answer.ts";
export { PracticeServer, type PracticeServerOptions, type Quota } from "./practice-server.ts";
export { instructions, question, type ReceivedBody, type ReceivedCall } from "./received-call.ts";
