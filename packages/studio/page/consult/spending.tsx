import type { Spent } from "@coppice/agents/view";
import { useMemo } from "preact/hooks";
import { LineChart } from "../chart/line-chart.tsx";

/** What all answers took together, as they came: tokens, and money where prices are known. */
export function Spending({ spending }: { readonly spending: readonly Spent[] }) {
  const series = (name: "tokens" | "cost") => [
    {
      name,
      colour: "accent",
      points: [[0, 0] as const, ...spending.map((spent) => [spent.atMs / 1000, spent[name]] as const)],
    } as const,
  ];
  const [tokens, cost] = useMemo(() => [series("tokens"), series("cost")], [spending]);
  return (
    <>
      <LineChart
        title="Tokens"
        xName="seconds"
        yName="tokens"
        unit="asked and answered, in all, when each answer had come"
        series={tokens}
      />
      {spending.some((each) => each.cost > 0) && (
        <LineChart
          title="Cost"
          xName="seconds"
          yName="US dollars"
          unit="in all, when each answer had come"
          series={cost}
        />
      )}
    </>
  );
}
