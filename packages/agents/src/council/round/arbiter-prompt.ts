import { dataBlock } from "../../consult/data-block.ts";
import { type Consultation, oneQuestion } from "../../models/consultation.ts";
import type { CouncilSetup } from "../council-setup.ts";
import type { InfoAnswer } from "../look-up/info-request.ts";
import type { Assessment } from "./assess-round.ts";
import { type Ending, known, type OpenRound, type Round, type Statement } from "./council-round.ts";
import { statementLine, systemPrompt } from "./persona-prompt.ts";
import { SYNTHESIS_FORM } from "./synthesis.ts";

/** Characters of reasoning the arbiter is shown of the round it sums up; shared evenly. */
const REASONING_BUDGET = 24_000;

const lastRound: Readonly<Partial<Record<Ending, string>>> = {
  converged: "The council has converged: this is the final judgement.",
  stalemate: "The council is divided and not convinced of anything: this is the final judgement.",
  "max-rounds": "There are no rounds left: this is the final judgement.",
};

/** What the arbiter is asked after a round: everything said in it, earlier rounds in short, what is open. */
export function arbiterConsultation(
  setup: CouncilSetup,
  model: string,
  open: OpenRound,
  { convergence, escalations, ending }: Assessment,
  earlier: readonly Round[],
): Consultation {
  const { round } = open.agenda;
  const statements = open.statements.filter((statement) => statement !== undefined);
  const info = [...earlier.flatMap((past) => past.info), ...known(open)];
  const share = Math.floor(REASONING_BUDGET / Math.max(1, statements.length));
  const said = statements.map((statement) => fullStatement(statement, share)).join("\n\n");
  const before = earlier.flatMap((past) => past.statements.map((statement) => statementLine(past.round, statement)));
  const { verdict, ratio } = convergence;
  const parts = [
    `Sum up round ${round} of a council on this proposal:`,
    dataBlock("proposal", setup.proposal),
    "What was said in this round:",
    dataBlock("statements", said),
    ...(before.length === 0 ? [] : ["Earlier rounds, in short:", dataBlock("earlier rounds", before.join("\n"))]),
    ...(info.length === 0 ? [] : ["What was found out:", dataBlock("information", info.map(infoLine).join("\n"))]),
    `By weight (confidence times conviction), ${verdict ?? "no verdict"} leads with ${(ratio * 100).toFixed(0)} %.`,
    ...(escalations.length === 0
      ? []
      : [
          "These matters were escalated; rule on each of them:",
          dataBlock("escalations", escalations.map(({ by, to, why }) => `${by} to ${to}: ${why}`).join("\n")),
        ]),
    (ending === undefined ? undefined : lastRound[ending]) ?? "Another round is possible: say whether it is worth it.",
  ];
  const instructions = systemPrompt(setup.arbiter.prompt, SYNTHESIS_FORM, setup);
  return oneQuestion(`round ${round}: arbiter`, { model, ...setup.tuning }, instructions, parts.join("\n\n"));
}

function fullStatement({ persona, opinion, failed }: Statement, share: number): string {
  if (failed !== undefined) return `${persona}: could not be asked (${failed})`;
  const { verdict, confidence, conviction, reasoning, blockers } = opinion;
  const cut = reasoning.length > share ? `${reasoning.slice(0, share)} [… cut]` : reasoning;
  const blocked = blockers.length === 0 ? "" : `\nBlockers: ${blockers.join("; ")}`;
  return `${persona}: ${verdict ?? "no verdict"}, confidence ${confidence}, conviction ${conviction}\n${cut}${blocked}`;
}

function infoLine({ text, answer }: InfoAnswer): string {
  return `${text}: ${answer ?? "nobody could answer this"}`;
}
