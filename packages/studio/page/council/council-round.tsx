import type { CouncilView } from "@coppice/agents/view";
import { formatPercent, formatValue } from "@coppice/engine/figures";
import { Cited } from "../consult/cited.tsx";

type Round = NonNullable<CouncilView["council"]>["rounds"][number];

interface CouncilRoundProps {
  readonly round: Round;
  readonly before: Round | undefined;
  readonly excerpts: CouncilView["excerpts"];
}

/** What was said in a round, as a conversation: every member, what was looked up, who was called, and the arbiter. */
export function CouncilRound({ round, before, excerpts }: CouncilRoundProps) {
  const { statements, convergence, info, escalations, recruitments, synthesis } = round;
  return (
    <section class="panel talk" aria-label={`Round ${round.round}`}>
      <div class="row">
        <h2>Round {round.round}</h2>
        <span class="muted">
          {convergence.verdict ?? "no verdict"} has {formatPercent(convergence.ratio)} of the weight
          {convergence.converged && ", converged"}
          {convergence.stalemate && ", stalemate"}
        </span>
      </div>
      {statements.map(({ persona, model, opinion, failed, cost }) => {
        const was = before?.statements.find((each) => each.persona === persona)?.opinion.verdict;
        const changed = was !== undefined && was !== opinion.verdict;
        return (
          <article key={persona} class={failed === undefined ? "" : "bad-text"}>
            <h3>
              {persona} <span class={`verdict ${opinion.verdict ?? ""}`}>{opinion.verdict ?? "no verdict"}</span>
            </h3>
            <p class="small muted">
              confidence {opinion.confidence}, conviction {opinion.conviction}; {model}
              {cost !== undefined && `, $${formatValue(cost)}`}
              {changed && `; was ${was ?? "no verdict"}`}
            </p>
            <Cited text={opinion.reasoning} excerpts={excerpts} />
            <Points title="Must be resolved" lines={opinion.blockers} />
            <Points title="Wants to know" lines={opinion.infoNeeded} />
            <Points
              title="Disagrees"
              lines={opinion.disagreesWith.map(({ persona: whom, why }) => `with ${whom}: ${why}`)}
            />
          </article>
        );
      })}
      <Points
        title="Looked up"
        lines={info.map(({ text, answer, from }) => `${text} — ${answer ?? "no answer"} (${from})`)}
      />
      <Points
        title="Escalated"
        lines={escalations.map(({ by, to, why, ruling }) => `${by} to ${to}: ${why} — ${ruling ?? "no ruling"}`)}
      />
      <Points
        title="Called in"
        lines={recruitments.map(({ persona, by, why, outcome }) => `${persona}, by ${by}: ${why} (${outcome})`)}
      />
      {synthesis !== null && (
        <article class="arbiter">
          <h3>
            The {synthesis.by} <span class={`verdict ${synthesis.verdict ?? ""}`}>{synthesis.verdict}</span>
          </h3>
          <p class="small muted">
            confidence {synthesis.confidence}; {synthesis.next === "continue" ? "would go on" : "would conclude"}
            {synthesis.model !== null && `; ${synthesis.model}`}
          </p>
          <Cited text={synthesis.reasoning} excerpts={excerpts} />
          <Points title="Trouble" lines={synthesis.trouble} />
        </article>
      )}
    </section>
  );
}

/** A few lines under a word; nothing without lines. */
function Points({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div class="small">
      <strong>{title}</strong>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
