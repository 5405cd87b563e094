import { dataBlock, dataRule } from "../../consult/data-block.ts";
import { type Consultation, oneQuestion } from "../../models/consultation.ts";
import { REPLY_FORM } from "../../replies/reply.ts";
import type { CouncilSetup, Seat } from "../council-setup.ts";
import type { InfoAnswer } from "../look-up/info-request.ts";
import type { Round, Statement } from "./council-round.ts";

const REASONING_SHOWN = 200;
const ANSWER_SHOWN = 150;

/** What one persona is asked in a round: the proposal, what the *others* said so far, and what was found out. */
export function personaConsultation(
  setup: CouncilSetup,
  seat: Seat,
  model: string,
  earlier: readonly Round[],
): Consultation {
  const round = earlier.length + 1;
  const parts = [`Round ${round}. Judge this proposal:`, dataBlock("proposal", setup.proposal)];
  const said = earlier.flatMap((past) => othersIn(past, seat.name));
  if (said.length > 0) {
    parts.push("What the other members said in earlier rounds:", dataBlock("other members", said.join("\n")));
  }
  const info = earlier.flatMap((past) => past.info);
  if (info.length > 0) {
    parts.push("What was found out since:", dataBlock("information", info.map(infoLine).join("\n")));
  }
  if (round > 1) parts.push("Weigh it, and say whether you keep or change your position.");
  const instructions = systemPrompt(seat.prompt, REPLY_FORM, setup);
  return oneQuestion(`round ${round}: ${seat.name}`, { model, ...setup.tuning }, instructions, parts.join("\n\n"));
}

/** Who somebody is, what data is, how to reply, and whose names mean something. */
export function systemPrompt(prompt: string, form: string, { library }: CouncilSetup): string {
  const names = library.map(({ name }) => name).join(", ");
  const known = library.length === 0 ? "" : `\nPersonas that can be recruited: ${names}.`;
  return `${prompt.trim()}\n\n${dataRule}\n\n${form}${known}`;
}

function othersIn({ round, statements }: Round, self: string): string[] {
  return statements.filter(({ persona }) => persona !== self).map((statement) => statementLine(round, statement));
}

/** One statement on one line, its reasoning cut to what others are shown. */
export function statementLine(round: number, { persona, opinion, failed }: Statement): string {
  if (failed !== undefined) return `Round ${round}, ${persona}: could not be asked`;
  const { verdict, confidence, reasoning } = opinion;
  return `Round ${round}, ${persona}: ${verdict ?? "no verdict"}, confidence ${confidence}: ${short(reasoning, REASONING_SHOWN)}`;
}

function infoLine({ text, answer }: InfoAnswer): string {
  return `${text}: ${answer === null ? "nobody could answer this; decide without it" : short(answer, ANSWER_SHOWN)}`;
}

/** The first `length` characters on one line, whole characters only. */
function short(text: string, length: number): string {
  const line = [...text.replace(/\s+/g, " ").trim()];
  return line.length <= length ? line.join("") : `${line.slice(0, length).join("")}…`;
}
