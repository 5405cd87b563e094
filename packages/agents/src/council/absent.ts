import type { Reply } from "../replies/reply.ts";

/** The position of a persona that could not be asked: it abstains and weighs nothing. */
export function absent(reason: string): Reply {
  return {
    verdict: "ABSTAIN",
    confidence: 0,
    conviction: 50,
    reasoning: reason,
    infoNeeded: [],
    escalateTo: [],
    agreesWith: [],
    disagreesWith: [],
    changedPosition: null,
    blockers: [],
    recruits: [],
    form: "prose",
  };
}
