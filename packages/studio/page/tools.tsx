import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useRef } from "preact/hooks";
import type { RunDetail } from "../src/wire.ts";
import { ask, embedded } from "./connection.ts";
import { Consult } from "./consult/consult.tsx";
import { Council } from "./council/council.tsx";
import { FlowDifference } from "./flow/flow-difference.tsx";
import { FlowPlan } from "./flow/flow-plan.tsx";
import { FlowSearch } from "./flow/flow-search.tsx";
import { Hooks } from "./hooks/hooks-page.tsx";
import { IdeaTree } from "./tree/idea-tree.tsx";
import { SearchTree } from "./tree/search-tree.tsx";
import { Tuner } from "./tuner/tuner.tsx";

/** A part of a run's page that only runs of one tool have. */
interface ToolTab {
  /** In the page's address. */
  readonly name: string;
  readonly title: string;
  readonly Tab: ComponentType<ToolTabProps>;
}

/** What such a part is given: what the tool's reader made of the run, and the run itself. */
export interface ToolTabProps {
  readonly view: object;
  readonly run: RunDetail;
}

/** What a tool adds to the page, beyond what every run has. */
interface Tool {
  /** In the order they are shown. */
  readonly tabs: readonly ToolTab[];
  /** What it shows without a run. */
  readonly Alone?: ComponentType<Pick<ToolTabProps, "view">>;
  /** Two runs beside each other, from what its reader made of both. */
  readonly Difference?: ComponentType<{ readonly views: readonly [object, object] }>;
}

const consult = (title: string): Tool => ({ tabs: [{ name: "answers", title, Tab: Consult }] });
const tuner: Tool = { tabs: [{ name: "tuner", title: "Tuner", Tab: Tuner }] };

/** By the `tool` of a run; a tool's parts are in a folder of its own. */
const tools: Readonly<Record<string, Tool>> = {
  ask: consult("Answers"),
  council: { tabs: [{ name: "council", title: "Council", Tab: Council }] },
  digest: consult("Summaries"),
  "flow-plan": {
    tabs: [
      { name: "plan", title: "Plan", Tab: FlowPlan },
      { name: "search", title: "Search", Tab: FlowSearch },
    ],
    Alone: FlowPlan,
    Difference: FlowDifference,
  },
  hooks: { tabs: [], Alone: Hooks },
  ranking: consult("Answers"),
  run: { tabs: [{ name: "tree", title: "Search tree", Tab: SearchTree }] },
  sampling: tuner,
  swarm: consult("Answers"),
  tree: { tabs: [{ name: "tree", title: "Tree", Tab: IdeaTree }] },
  tune: tuner,
};

const nothing: Tool = { tabs: [] };

/** What a tool adds, if it does. */
export function toolOf(name: string | undefined): Tool {
  return name !== undefined && Object.hasOwn(tools, name) ? tools[name] : nothing;
}

/** A run that goes on is looked at again this often, and so many times after its end, when its tool writes its files. */
const AGAIN_MS = 3000;
/** And after this many times as long as the last look took: reading for a page is not to hold up others. */
const AGAIN_TIMES = 10;
const AFTER_END = 10;

interface ToolViewProps {
  readonly path: string;
  readonly run: RunDetail;
  readonly Tab: ToolTab["Tab"];
}

/** One of these parts, once the server has read what it shows. */
export function ToolView({ path, run, Tab }: ToolViewProps) {
  const view = useSignal<object | undefined>(embedded?.view);
  const said = useSignal("");
  const [broken] = useErrorBoundary();
  const running = run.state === "running";
  const wasRunning = useRef(running);
  useEffect(() => {
    if (embedded !== undefined) return undefined;
    let left = running ? Number.POSITIVE_INFINITY : wasRunning.current ? AFTER_END : 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const look = (): void => {
      const begun = performance.now();
      ask<object>(`${path}/view`)
        .then((found) => {
          // What is the same stays as it is, with what somebody changed in it.
          if (JSON.stringify(found) !== JSON.stringify(view.value)) view.value = found;
          said.value = "";
        })
        .catch((error: Error) => {
          said.value = error.message;
        })
        .finally(() => {
          const tookMs = performance.now() - begun;
          if (isOpen && left-- > 0) timer = setTimeout(look, Math.max(AGAIN_MS, AGAIN_TIMES * tookMs));
        });
    };
    look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [path, running, view, said]);
  if (said.value !== "") return <div class="notice">{said.value}</div>;
  if (broken !== undefined) {
    const why = broken instanceof Error ? broken.message : String(broken);
    return (
      <div class="notice">A file in the run's folder is not as its tool writes it, and cannot be drawn: {why}.</div>
    );
  }
  if (view.value === undefined) return <p class="muted">Reading what there is to see …</p>;
  return <Tab view={view.value} run={run} />;
}
