import type { AgentFormat } from "./agent-format.ts";
import { claudeCode } from "./claude-code.ts";
import { geminiCli } from "./gemini-cli.ts";

/** The agents whose hooks we run. One more is one more file, and a line here. */
export const knownAgents: readonly AgentFormat[] = [claudeCode, geminiCli];

/** The agent that started us, by the variable it sets; some set others' as well, so that what is not the usual one counts first. */
export function agentIn(env: NodeJS.ProcessEnv): AgentFormat {
  return knownAgents.find((agent) => agent !== claudeCode && env[agent.projectVariable] !== undefined) ?? claudeCode;
}

/** The agents that have an event; what they say of an event that several have is the same. */
function agentsWith(event: string): readonly AgentFormat[] {
  return knownAgents.filter(
    ({ subjects, withoutSubject }) => Object.hasOwn(subjects, event) || withoutSubject.includes(event),
  );
}

/** Every event that some agent has. */
export const knownEvents: readonly string[] = [
  ...new Set(knownAgents.flatMap(({ subjects, withoutSubject }) => [...withoutSubject, ...Object.keys(subjects)])),
];

/** The input field that matchers of the event are compared with, if they mean something for it. */
export function subjectField(event: string): string | undefined {
  const [agent] = agentsWith(event);
  return agent !== undefined && Object.hasOwn(agent.subjects, event) ? agent.subjects[event] : undefined;
}

/** Whether hooks of the event can keep something from happening. */
export function holdsBackFirst(event: string): boolean {
  return knownAgents.some(({ holdingBack }) => holdingBack.includes(event));
}

/** Whether what a hook of the event prints, if it is not JSON, becomes context. */
export function textIsContext(event: string): boolean {
  return knownAgents.some((agent) => agent.textIsContext.includes(event));
}

/** Whether a hook's `decision` holds something back; an event that nobody knows is read as the usual agent reads it. */
export function holdsBack(event: string, decision: unknown): boolean {
  const [agent = claudeCode] = agentsWith(event);
  return agent.blockWords.some((word) => word === decision);
}
