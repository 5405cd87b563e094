import { type LabelledReply, labelledReply, listItems } from "../replies/labelled-reply.ts";
import { structuredReply } from "../replies/structured-reply.ts";
import {
  confidenceOf,
  convictionOf,
  type Named,
  namedOf,
  type Opinion,
  personaName,
  verdictOf,
  verdicts,
} from "./opinion.ts";
import { fieldsOf } from "./reply-fields.ts";

const labels = [
  "VERDICT",
  "CONFIDENCE",
  "CONVICTION",
  "REASONING",
  "INFO_NEEDED",
  "ESCALATE_TO",
  "AGREES_WITH",
  "DISAGREES_WITH",
  "CHANGED_POSITION",
  "BLOCKERS",
  "RECRUITS",
];

/** Reads a persona's reply: as JSON, otherwise by its labels, otherwise (and marked so) as prose. */
export function readOpinion(text: string): Opinion {
  const structured = structuredReply(text);
  if (structured !== undefined && "verdict" in structured) {
    return opinionOf(fieldsOf(structured), "json");
  }
  const reply = labelledReply(text, labels);
  if (reply.VERDICT !== undefined) return opinionOf(reply, "labels");
  return { ...opinionOf({ ...reply, REASONING: reply.REASONING ?? text.trim() }, "prose"), verdict: onlyVerdict(text) };
}

function opinionOf(reply: LabelledReply, readFrom: Opinion["readFrom"]): Opinion {
  const changed = reply.CHANGED_POSITION?.trim() ?? "";
  return {
    verdict: verdictOf(reply.VERDICT ?? ""),
    confidence: confidenceOf(reply.CONFIDENCE),
    conviction: convictionOf(reply.CONVICTION),
    reasoning: reply.REASONING ?? "",
    infoNeeded: listItems(reply.INFO_NEEDED),
    escalations: namedItems(reply.ESCALATE_TO),
    agreesWith: nameList(reply.AGREES_WITH),
    disagreesWith: namedItems(reply.DISAGREES_WITH),
    changedPosition: listItems(changed).length === 0 ? null : changed,
    blockers: listItems(reply.BLOCKERS),
    recruits: namedItems(reply.RECRUITS),
    readFrom,
  };
}

function namedItems(text: string | undefined): Named[] {
  return listItems(text)
    .map(namedOf)
    .filter(({ name }) => name !== "");
}

function nameList(text: string | undefined): string[] {
  return listItems(text?.replaceAll(",", "\n"))
    .map(personaName)
    .filter((name) => name !== "");
}

/** Prose names a verdict when it writes exactly one of them in capitals. */
function onlyVerdict(text: string): Opinion["verdict"] {
  const named = verdicts.filter((verdict) => new RegExp(`\\b${verdict}\\b`).test(text));
  return named.length === 1 ? (named[0] ?? null) : null;
}
