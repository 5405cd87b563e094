import { eventsWithSubject, subjectField } from "./matcher.ts";

/** Events of coding agents whose input has nothing that a matcher is compared with. */
const WITHOUT_SUBJECT = new Set(
  "UserPromptSubmit Stop StopFailure TaskCreated TaskCompleted TeammateIdle InstructionsLoaded ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult".split(
    " ",
  ),
);

/** Events whose hooks are asked before something happens: a guard that is missing there lets it happen. */
export const holdingBackEvents: readonly string[] = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"];

/** Whether hooks of the event can keep something from happening. */
export function holdsBackFirst(event: string): boolean {
  return holdingBackEvents.includes(event);
}

/** The known event that was probably meant, if the given one is not known but close to it. */
export function similarEvent(event: string): string | undefined {
  if (isKnownEvent(event)) return undefined;
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");
  return [...WITHOUT_SUBJECT, ...eventsWithSubject].find((known) =>
    isSlip(plain(event), plain(known), known.length < 8 ? 1 : 2),
  );
}

/** Whether one text becomes the other by changing, adding or leaving out so many letters at most. */
function isSlip(a: string, b: string, slips: number): boolean {
  if (a === b) return true;
  if (slips === 0 || Math.abs(a.length - b.length) > slips) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const [restA, restB] = [a.slice(same), b.slice(same)];
  return (
    isSlip(restA.slice(1), restB, slips - 1) ||
    isSlip(restA, restB.slice(1), slips - 1) ||
    isSlip(restA.slice(1), restB.slice(1), slips - 1)
  );
}

/** Whether it is written like an event. */
export function isEventName(event: string): boolean {
  return /^[A-Z][A-Za-z]+$/.test(event);
}

/** Whether it is an event we have heard of; agents may have others, and those are answered all the same. */
export function isKnownEvent(event: string): boolean {
  return WITHOUT_SUBJECT.has(event) || subjectField(event) !== undefined;
}
