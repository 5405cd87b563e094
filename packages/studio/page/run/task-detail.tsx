import { formatMeasured } from "@coppice/engine/figures";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AttemptLog, TaskDetail } from "../../src/wire.ts";
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
  const { ask: number, key, candidate, state, sameAs, attemptsMade } = detail.value;
  return (
    <section class="panel" aria-label={`Task ${number}`}>
      <div class="row">
        <h2>Task #{number}</h2>
        <StateMark state={state} />
        {sameAs !== undefined && <span class="muted">answered as #{sameAs}, which has the same key</span>}
      </div>
      <code>{key}</code>
      {candidate !== undefined && (
        <div>
          <div class="small muted">candidate</div>
          <LongText text={candidate} />
        </div>
      )}
      {attemptsMade.map(({ attempt, worker, atMs, elapsedMs, text, ok, stack, log }) => (
        <div key={`${attempt}-${worker}-${atMs}`}>
          <div class="small muted">
            {attempt === undefined ? "given to" : `attempt ${attempt} on`} worker {worker}, {formatMeasured(elapsedMs)},{" "}
            {formatMeasured(atMs)} after the run began
          </div>
          <LongText text={text} bad={!ok} />
          {stack !== undefined && <LongText text={stack} />}
          {log !== undefined && <Log log={log} worker={worker} />}
        </div>
      ))}
    </section>
  );
}

/** The last lines of an attempt, and those of its worker that do not say which task printed them. */
function Log({ log: { own, unmarked, beside }, worker }: { readonly log: AttemptLog; readonly worker: number }) {
  return (
    <>
      {own.length > 0 && (
        <>
          <div class="small muted">what it logged, the last {own.length === 1 ? "line" : `${own.length} lines`}</div>
          <LongText text={own.join("\n")} />
        </>
      )}
      {unmarked.length > 0 && (
        <>
          <div class="small muted">
            {beside === 0
              ? `worker ${worker} printed in that time`
              : `worker ${worker} printed in that time, during this task or others that it had: these lines do not say which`}
          </div>
          <LongText text={unmarked.join("\n")} />
        </>
      )}
    </>
  );
}
