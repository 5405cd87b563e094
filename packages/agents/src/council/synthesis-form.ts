/** The reply the arbiter is asked for after a round; `readSynthesis` reads it back. */
export const SYNTHESIS_FORM = `Reply with one JSON object and nothing else:
{
  "verdict": "PROCEED" | "CONDITIONAL_GO" | "STOP" | "ABSTAIN",
  "confidence": 0 to 100, how sure you are that the verdict is right,
  "reasoning": "what the council found, where it disagrees and what decides it, in plain sentences",
  "next": "CONTINUE" if another round can change the verdict, "CONCLUDE" if it cannot,
  "rulings": [{ "persona": "who escalated", "why": "your ruling, in one sentence" }],
  "recruits": [{ "persona": "who is missing", "why": "in one sentence" }]
}
Leave out rulings and recruits where they do not apply.`;
