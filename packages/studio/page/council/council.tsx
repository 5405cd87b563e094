import type { CouncilView } from "@coppice/agents/view";
import { formatCount, formatPercent, formatValue } from "@coppice/engine/figures";
import { LineChart } from "../chart/line-chart.tsx";
import { Cited } from "../consult/cited.tsx";
import { Spending } from "../consult/spending.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { CouncilRound } from "./council-round.tsx";

/** A council: its verdict, how it came to agree, what that cost, and who said what, round by round. */
export function Council({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { council, waste, spending, excerpts } = view as CouncilView;
  if (council === undefined) return <p class="muted">The first round is not over yet.</p>;
  const { rounds, totals, labels, settings, verdict, confidence, proposal, ended, decidedBy } = council;
  const threshold = settings.threshold.value;
  return (
    <>
      <section class="panel" aria-label="Verdict">
        <p class="said">{proposal}</p>
        <h2>
          {verdict ?? "no verdict"}, confidence {confidence}
        </h2>
        <Cited text={council.reasoning} excerpts={excerpts} />
        {labels.map((label) => (
          <p class="small bad-text" key={label}>
            {label}
          </p>
        ))}
        <dl class="facts">
          <dt>Ended</dt>
          <dd>
            {ended}, after {rounds.length} {rounds.length === 1 ? "round" : "rounds"}; decided by the {decidedBy}
          </dd>
          <dt>Calls</dt>
          <dd>
            {formatCount(totals.calls)}, {formatCount(totals.failed)} failed
          </dd>
          <dt>Tokens</dt>
          <dd>
            {formatCount(totals.promptTokens)} asked, {formatCount(totals.answerTokens)} answered
          </dd>
          <dt>Cost</dt>
          <dd>{totals.cost === null ? "not known" : `$${formatValue(totals.cost)}`}</dd>
          <dt>Speculation</dt>
          <dd>
            {waste.calls === 0
              ? "nothing was asked in vain"
              : `${formatCount(waste.calls)} calls in vain: ${formatCount(waste.answered)} answered ($${formatValue(waste.cost)}), ${formatCount(waste.aborted)} stopped`}
          </dd>
        </dl>
      </section>
      <div class="beside">
        {/* One round is a number, which stands above the round, and no curve. */}
        {rounds.length > 1 && (
          <LineChart
            title="Agreement"
            xName="round"
            yName="share of the weight"
            unit={`share of the leading verdict; ${formatPercent(threshold)} is enough`}
            series={[
              {
                name: "leading verdict",
                colour: "accent",
                points: rounds.map(({ round, convergence }) => [round, convergence.ratio] as const),
              },
              {
                name: "enough",
                colour: "warn",
                points: rounds.map(({ round }) => [round, threshold] as const),
              },
            ]}
          />
        )}
        <Spending spending={spending} />
      </div>
      {rounds.map((round, at) => (
        <CouncilRound key={round.round} round={round} before={rounds[at - 1]} excerpts={excerpts} />
      ))}
    </>
  );
}
