import { formatCount, formatValue } from "@coppice/engine/figures";
import type { TreeView, TriedIdea } from "@coppice/ideas/view";
import { LongText } from "../long-text.tsx";
import { IdeaFiles } from "./idea-files.tsx";

interface IdeaDetailProps {
  readonly tree: TreeView;
  readonly idea: TriedIdea;
  /** Of the run, at the server. */
  readonly path: string;
}

/** One idea: its text, what became of it and why, what the reviews said, what it cost, where its log is. */
export function IdeaDetail({ tree, idea, path }: IdeaDetailProps) {
  const { id, name, fate, text, reviews = [], reasons = [], metrics = {}, lastLines = [] } = idea;
  const on = idea.parent === null ? undefined : tree.ideas[idea.parent];
  const [root] = tree.ideas;
  /** A metric beside what its parent and the root came to. */
  const besides = (value: number, metric: string): string => {
    const others =
      on === undefined
        ? []
        : on === root
          ? [["root", root] as const]
          : [["parent", { metrics: idea.parentMetrics ?? on.metrics }] as const, ["root", root] as const];
    const known = others.flatMap(([name, other]) => {
      const figure = other.metrics?.[metric];
      return typeof figure === "number" ? [`${name} ${formatValue(figure)}`] : [];
    });
    return `${formatValue(value)}${known.length === 0 ? "" : ` (${known.join(", ")})`}`;
  };
  return (
    <section class="panel idea" aria-label={`Idea ${id}`} aria-live="polite">
      <h2>
        {id} {name}
      </h2>
      <dl class="facts">
        <Fact name="State" value={fate} />
        <Fact name="Why" value={idea.why} />
        <Fact name="Became" value={on === undefined || idea.node === null ? undefined : `node ${idea.node}`} />
        <Fact name="Tried on" value={on && `node ${on.node} (${on.name})`} />
        <Fact name="Score" value={idea.score ?? undefined} />
        <Fact name="Against its parent" value={idea.parentScore ?? undefined} />
        <Fact name="Grade" value={idea.grade} />
        <Fact name="Because" value={reasons.join("; ")} />
        {Object.entries(metrics).map(([metric, value]) => (
          <Fact key={metric} name={metric} value={value === null ? undefined : besides(value, metric)} />
        ))}
        <Fact name="Took" value={idea.seconds === undefined ? undefined : `${formatValue(idea.seconds)} s`} />
        <Fact name="Attempts" value={idea.attempts === undefined ? undefined : formatCount(idea.attempts)} />
        <Fact name="Cost" value={spentText(idea)} />
        {Object.entries(idea.costs ?? {}).map(([step, cost]) => (
          <Fact key={step} name={`Cost of ${step}`} value={spentText(cost)} />
        ))}
        <Fact name="Branch" value={idea.branch} />
        <Fact name="Change" value={idea.diff} />
        <Fact name="Logs" value={idea.logs} />
      </dl>
      {text !== undefined && <LongText text={text} />}
      {reviews.map(({ round, verdict, issues }) => (
        <div key={round}>
          <h3>
            Review {round + 1}: {verdict}
          </h3>
          {issues.length > 0 && <LongText text={issues.join("\n")} />}
        </div>
      ))}
      {lastLines.length > 0 && <LongText text={lastLines.join("\n")} bad />}
      <IdeaFiles path={path} folder={idea.logs} ofNode={idea.nodeFiles ?? []} />
    </section>
  );
}

/** Money and tokens; nothing where nothing was spent. */
export function spentText({ money = 0, tokens = 0 }: Pick<TriedIdea, "money" | "tokens">): string {
  const parts = [
    ...(money > 0 ? [`money ${formatValue(money)}`] : []),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
  ];
  return parts.join(", ");
}

/** A line; nothing where there is nothing to say. All digits of a number are under the pointer. */
export function Fact({ name, value }: { readonly name: string; readonly value: string | number | undefined }) {
  if (value === undefined || value === "") return null;
  return (
    <>
      <dt>{name}</dt>
      {typeof value === "number" ? <dd title={String(value)}>{formatValue(value)}</dd> : <dd>{value}</dd>}
    </>
  );
}
