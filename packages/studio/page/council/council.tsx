import type { CouncilView } from "@coppice/agents/view";
import { formatCount, formatPercent, formatValue } from "@coppice/engine/figures";
import { LineChart } from "../chart/line-chart.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { CouncilRound } from "./council-round.tsx";

/** A council: its verdict, how it came to agree, what that cost, and who said what, round by round. */
export function Council({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { council, waste, spending } = view as CouncilView;
  if (council === undefined) return <p class="muted">The first round is not over yet.</p>;
  const { rounds, totals, labels, settings, verdict, confidence, proposal, ended, decidedBy } = council;
  const threshold = settings.threshold.value;
  const seconds = (atMs: number) => atMs / 1000;
  const costs = spending.some(({ cost }) => cost > 0);
  return (
    <>
      <section class="panel" aria-label="Verdict">
        <p class="said">{proposal}</p>
        <h2>
          {verdict ?? "no verdict"}, confidence {confidence}
        </h2>
        <p class="said">{council.reasoning}</p>
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
        <LineChart
          title="Tokens"
          xName="seconds"
          yName="tokens"
          unit="asked and answered, all together, by the time of the answer"
          series={[
            {
              name: "tokens",
              colour: "accent",
              points: spending.map(({ atMs, tokens }) => [seconds(atMs), tokens] as const),
            },
          ]}
        />
        {costs && (
          <LineChart
            title="Cost"
            xName="seconds"
            yName="US dollars"
            unit="all together, by the time of the answer"
            series={[
              {
                name: "cost",
                colour: "accent",
                points: spending.map(({ atMs, cost }) => [seconds(atMs), cost] as const),
              },
            ]}
          />
        )}
      </div>
      {rounds.map((round, at) => (
        <CouncilRound key={round.round} round={round} before={rounds[at - 1]} />
      ))}
    </>
  );
}
