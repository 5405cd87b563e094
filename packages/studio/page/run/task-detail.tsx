import { formatMeasured } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TaskDetail } from "../../src/wire.ts";
import { ask } from "../connection.ts";
import { LongText } from "../long-text.tsx";
import { StateMark } from "../state-mark.tsx";

interface TaskDetailProps {
  readonly path: string;
  readonly task: number;
  readonly told: number;
}

/** One task: its key, its outcome, and every attempt with what it logged. */
export function TaskDetailPanel({ path, task, told }: TaskDetailProps) {
  const detail = useSignal<TaskDetail | undefined>(undefined);
  const ended = detail.value?.ask === task && detail.value.state !== "running" && detail.value.state !== "waiting";
  // a task that is still out is looked at again when more was told
  useEffect(() => {
    void ask<TaskDetail>(`${path}/tasks/${task}`).then((found) => {
      detail.value = found;
    });
  }, [path, task, ended ? 0 : told]);
  if (detail.value === undefined) return null;
  const { ask: number, key, state, sameAs, attemptsMade } = detail.value;
  return (
    <section class="panel" aria-label={`Task ${number}`}>
      <div class="row">
        <h2>Task #{number}</h2>
        <StateMark state={state} />
        {sameAs !== undefined && <span class="muted">answered as #{sameAs}, which has the same key</span>}
      </div>
      <code>{key}</code>
      {attemptsMade.map(({ attempt, worker, atMs, elapsedMs, text, ok, stack, logTail }) => (
        <div key={`${attempt}-${atMs}`}>
          <div class="small muted">
            attempt {attempt} on worker {worker}, {formatMeasured(elapsedMs)}, {formatMeasured(atMs)} after the run
            began
          </div>
          <LongText text={text} bad={!ok} />
          {stack !== undefined && <LongText text={stack} />}
          {logTail !== undefined && logTail.length > 0 && <LongText text={logTail.join("\n")} />}
        </div>
      ))}
    </section>
  );
}
