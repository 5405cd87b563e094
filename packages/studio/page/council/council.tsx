import type { CouncilView } from "@coppice/agents/view";
import { formatCount, formatPercent, formatValue } from "@coppice/engine/figures";
import { useMemo } from "preact/hooks";
import { type Dot, DotChart } from "../chart/dot-chart.tsx";
import { Cited } from "../consult/cited.tsx";
import { Spending } from "../consult/spending.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { CouncilRound } from "./council-round.tsx";

/** A council: its verdict, how it came to agree, what that cost, and who said what, round by round. */
export function Council({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { council, waste, spending, excerpts } = view as CouncilView;
  if (council === undefined) return <p class="muted">The first round is not over yet.</p>;
  return <Held council={council} waste={waste} spending={spending} excerpts={excerpts} />;
}

function Held({ council, waste, spending, excerpts }: Required<CouncilView>) {
  const { rounds, totals, labels, settings, verdict, confidence, proposal, ended, decidedBy, speculation } = council;
  const threshold = settings.threshold.value;
  const agreement = useMemo(
    () =>
      rounds.map(({ round, convergence: { ratio, verdict: leading } }): Dot => {
        const says = `round ${round}: ${leading ?? "no verdict"} has ${formatPercent(ratio)}`;
        return { x: round, y: ratio, colour: "accent", says };
      }),
    [rounds],
  );
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
          {(speculation !== undefined || waste.calls > 0) && (
            <>
              <dt>Speculation</dt>
              <dd>{[...keptText(speculation), wasteText(waste)].join("; ")}</dd>
            </>
          )}
        </dl>
      </section>
      <div class="beside">
        {/* One round is a number, which stands above the round, and no curve. */}
        {rounds.length > 1 && (
          <DotChart
            title="Agreement"
            xName="round"
            yName="share of the weight"
            unit={`weight of the leading verdict, as a share of all; ${formatPercent(threshold)} is enough`}
            legend={[
              { text: "leading verdict", colour: "accent" },
              { text: "enough", colour: "warn" },
            ]}
            dots={agreement}
            links={[
              ...agreement.slice(1).map(({ x, y }, at) => {
                return { from: [agreement[at].x, agreement[at].y], to: [x, y], colour: "accent", width: 2 } as const;
              }),
              { from: [1, threshold], to: [rounds.length, threshold], colour: "warn", width: 2 },
            ]}
            ticks={agreement.map(({ x }) => ({ at: x, text: String(x) }))}
            table={() => ({
              columns: ["round", "leading verdict", "share of the weight", "enough"],
              rows: rounds.map(({ round, convergence }) => {
                return [round, convergence.verdict ?? "", convergence.ratio, threshold];
              }),
            })}
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

/** Records of earlier versions do not say it. */
function keptText(speculation: NonNullable<CouncilView["council"]>["speculation"]): string[] {
  if (speculation === undefined) return [];
  const { started, kept, discarded } = speculation;
  if (started === 0) return ["no round was started early"];
  const rounds = `${formatCount(started)} ${started === 1 ? "round" : "rounds"} started early`;
  return [`${rounds}: ${formatCount(kept)} kept, ${formatCount(discarded)} thrown away`];
}

function wasteText({ calls, answered, cost, aborted }: CouncilView["waste"]): string {
  if (calls === 0) return "nothing was asked in vain";
  const asked = `${formatCount(calls)} ${calls === 1 ? "call" : "calls"} in vain`;
  return `${asked}: ${formatCount(answered)} answered ($${formatValue(cost)}), ${formatCount(aborted)} stopped`;
}
