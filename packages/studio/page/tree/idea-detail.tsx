import { formatCount, formatValue } from "@coppice/engine/figures";
import type { TreeView, TriedIdea } from "@coppice/ideas/view";
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
  return (
    <section class="panel idea" aria-label={`Idea ${id}`} aria-live="polite">
      <h2>
        {id} {name}
      </h2>
      <dl class="facts">
        <Fact name="State" value={fate} />
        <Fact name="Why" value={idea.why} />
        <Fact name="Tried on" value={on && `node ${on.node} (${on.name})`} />
        <Fact name="Score" value={idea.score === null ? undefined : String(idea.score)} />
        <Fact name="Against its parent" value={idea.parentScore?.toString()} />
        <Fact name="Grade" value={idea.grade} />
        <Fact name="Because" value={reasons.join("; ")} />
        {Object.entries(metrics).map(([metric, value]) => (
          <Fact key={metric} name={metric} value={value === null ? undefined : String(value)} />
        ))}
        <Fact name="Took" value={idea.seconds === undefined ? undefined : `${formatValue(idea.seconds)} s`} />
        <Fact name="Attempts" value={idea.attempts === undefined ? undefined : formatCount(idea.attempts)} />
        <Fact name="Money" value={idea.money === undefined || idea.money === 0 ? undefined : formatValue(idea.money)} />
        <Fact
          name="Tokens"
          value={idea.tokens === undefined || idea.tokens === 0 ? undefined : formatCount(idea.tokens)}
        />
        <Fact name="Branch" value={idea.branch} />
        <Fact name="Change" value={idea.diff} />
        <Fact name="Logs" value={idea.logs} />
      </dl>
      {text !== undefined && <pre>{text}</pre>}
      {reviews.map(({ round, verdict, issues }) => (
        <div key={round}>
          <h3>
            Review {round + 1}: {verdict}
          </h3>
          {issues.length > 0 && <pre>{issues.join("\n")}</pre>}
        </div>
      ))}
      {lastLines.length > 0 && <pre class="bad-text">{lastLines.join("\n")}</pre>}
      {idea.logs !== undefined && <IdeaFiles path={path} folder={idea.logs} />}
    </section>
  );
}

/** A line; nothing where there is nothing to say. */
function Fact({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  if (value === undefined || value === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
