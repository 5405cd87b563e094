import type { ConsultView } from "@coppice/agents/view";
import { useMemo, useState } from "preact/hooks";
import { BarChart } from "../chart/bar-chart.tsx";
import type { ToolTabProps } from "../tools.tsx";
import { Cited } from "./cited.tsx";
import { Spending } from "./spending.tsx";

/** Answers of models: what was asked, who said what, how many say the same, what it took. */
export function Consult({ view }: ToolTabProps) {
  // Cast: what the reader of this tool returns.
  const { about, remarks, tallies, answers, spending, excerpts } = view as ConsultView;
  const [search, setSearch] = useState("");
  const bars = useMemo(() => tallies.map(([name, value]) => ({ name, value })), [tallies]);
  const wanted = search.toLowerCase();
  const shown = answers.filter(({ name, text, verdict = "" }) => {
    return [name, text, verdict].some((each) => each.toLowerCase().includes(wanted));
  });
  return (
    <>
      <section class="panel" aria-label="Question">
        <p class="said">{about}</p>
        {remarks.map((remark) => (
          <p class="small muted" key={remark}>
            {remark}
          </p>
        ))}
      </section>
      <div class="beside">
        {bars.length > 0 && (
          <BarChart title="What they say" unit="answers or findings" columns={["says", "count"]} bars={bars} />
        )}
        {spending.length > 0 && <Spending spending={spending} />}
      </div>
      <section class="panel talk" aria-label="Answers">
        <div class="row">
          <h2>
            {shown.length === answers.length ? "" : `${shown.length} of `}
            {answers.length} {answers.length === 1 ? "answer" : "answers"}
          </h2>
          <input
            type="search"
            aria-label="Search answers"
            placeholder="Search"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </div>
        {shown.map(({ name, verdict, remark, text, failure }, index) => (
          <article key={`${index} ${name}`}>
            <h3>
              {name} {verdict !== undefined && <span class={`verdict ${verdict}`}>{verdict}</span>}
            </h3>
            <p class="small muted">{remark}</p>
            {failure !== undefined && <p class="bad-text">{failure}</p>}
            {text !== "" && <Cited text={text} excerpts={excerpts} />}
          </article>
        ))}
      </section>
    </>
  );
}
