/** The reply every persona is asked for. */
export const opinionFormat = `Reply in exactly this form, each label at the beginning of a line:
VERDICT: PROCEED | CONDITIONAL_GO | STOP | ABSTAIN | ESCALATE
CONFIDENCE: 0-100, how sure you are of the facts
CONVICTION: 0-100, how much it matters to you that this verdict prevails
REASONING: your argument, as many lines as it needs
Only where they apply:
INFO_NEEDED: one "- " line per thing you must know to decide
ESCALATE_TO: who - why
AGREES_WITH: name, name
DISAGREES_WITH: name - why
CHANGED_POSITION: old -> new
BLOCKERS: one "- " line each
RECRUITS: persona - why
A JSON object with the same names in lower case is just as good.`;

/** The reply the arbiter is asked for after a round. */
export const synthesisFormat = `Reply in exactly this form, each label at the beginning of a line:
VERDICT: PROCEED | CONDITIONAL_GO | STOP | ABSTAIN
CONFIDENCE: 0-100
REASONING: what the council found, where it disagrees and what decides it, as many lines as it needs
NEXT: CONTINUE if another round can change the verdict, CONCLUDE if it cannot
Only where they apply:
RULINGS: one "- " line per escalation: who escalated - your ruling
RECRUITS: persona - why
A JSON object with the same names in lower case is just as good.`;
