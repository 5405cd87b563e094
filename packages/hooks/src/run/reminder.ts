import { type Answer, ownAnswer } from "../merge/answer.ts";
import type { Reminder } from "../settings/hook.ts";

/** The reminder as context of its event (H-23). */
export function reminderAnswer(event: string, reminder: Reminder): Answer {
  return ownAnswer("coppice reminder", {
    json: { hookSpecificOutput: { hookEventName: event, additionalContext: reminder.text } },
  });
}
