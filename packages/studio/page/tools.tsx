import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { RunDetail } from "../src/wire.ts";
import { ask, embedded } from "./connection.ts";
import { flowTabs } from "./flow/flow-tabs.tsx";

/** A part of a run's page that only runs of one tool have. */
export interface ToolTab {
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

/** By the `tool` of a run, in the order they are shown; a tool's parts are in a folder of its own. */
const tools: Readonly<Record<string, readonly ToolTab[]>> = {
  "flow-plan": flowTabs,
};

/** The parts that runs of a tool have. */
export function tabsOf(tool: string | undefined): readonly ToolTab[] {
  return tool !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : [];
}

/** A run that goes on is looked at again this often. */
const AGAIN_MS = 3000;

interface ToolViewProps {
  readonly path: string;
  readonly run: RunDetail;
  readonly Tab: ToolTab["Tab"];
}

/** One of these parts, once the server has read what it shows. */
export function ToolView({ path, run, Tab }: ToolViewProps) {
  const view = useSignal<object | undefined>(embedded?.view);
  const said = useSignal("");
  const running = run.state === "running";
  useEffect(() => {
    if (embedded !== undefined) return undefined;
    const look = (): void => {
      ask<object>(`${path}/view`)
        .then((found) => {
          view.value = found;
          said.value = "";
        })
        .catch((error: Error) => {
          said.value = error.message;
        });
    };
    look();
    if (!running) return undefined;
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, [path, running, view, said]);
  if (said.value !== "") return <div class="notice">{said.value}</div>;
  if (view.value === undefined) return <p class="muted">Reading what there is to see …</p>;
  return <Tab view={view.value} run={run} />;
}
