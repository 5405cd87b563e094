import { subjectField } from "./matcher.ts";

/** Events of coding agents whose input has nothing that a matcher is compared with. */
const WITHOUT_SUBJECT = new Set(
  "UserPromptSubmit Stop StopFailure TaskCreated TaskCompleted TeammateIdle InstructionsLoaded ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult".split(
    " ",
  ),
);

/** Whether it is written like an event. */
export function isEventName(event: string): boolean {
  return /^[A-Z][A-Za-z]+$/.test(event);
}

/** Whether it is an event we have heard of; agents may have others, and those are answered all the same. */
export function isKnownEvent(event: string): boolean {
  return WITHOUT_SUBJECT.has(event) || subjectField(event) !== undefined;
}
