/** What a persona is told about the form of its reply; `parseReply` reads it back. */
export const REPLY_FORM = `Reply with one JSON object and nothing else:
{
  "verdict": "PROCEED" | "CONDITIONAL_GO" | "STOP" | "ABSTAIN" | "ESCALATE",
  "confidence": 0 to 100, how sure you are that the verdict is right,
  "conviction": 0 to 100, how strongly it should count,
  "reasoning": "your reasons, the most important first, in plain sentences",
  "info_needed": ["a question whose answer would change your verdict"],
  "blockers": ["what must be resolved before anyone may proceed"],
  "agrees_with": ["persona"],
  "disagrees_with": [{ "persona": "name", "why": "in one sentence" }],
  "changed_position": "from → to, and why; only if you changed your verdict",
  "escalate_to": [{ "persona": "name", "why": "in one sentence" }],
  "recruits": [{ "persona": "name", "why": "in one sentence" }]
}
Leave out fields that do not apply. ABSTAIN when the matter is outside your field.`;
