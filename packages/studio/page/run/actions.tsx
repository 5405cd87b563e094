import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ActionRow, Job } from "../../src/wire.ts";
import { ask } from "../connection.ts";
import { LongText } from "../long-text.tsx";
import { StartAgain } from "./start-again.tsx";

const JOBS_EVERY_MS = 1000;

interface ActionsProps {
  readonly path: string;
  /** Without, the commands are shown to be typed. */
  readonly mayAct: boolean;
  readonly actions: readonly ActionRow[];
  /** The words it was started with. */
  readonly again: readonly string[] | undefined;
}

/** What can be done with the run, each with the command it stands for, and what became of those that were started here. */
export function Actions({ path, mayAct, actions, again }: ActionsProps) {
  const said = useSignal("");
  const jobs = useSignal<readonly Job[]>([]);
  const look = async (): Promise<void> => {
    jobs.value = await ask<readonly Job[]>("/api/jobs").catch(() => []);
  };
  // one clock for as long as the page is open
  useEffect(() => {
    void look();
    const timer = setInterval(() => {
      if (jobs.value.some(({ exitCode }) => exitCode === undefined)) void look();
    }, JOBS_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const run = async (what: "actions" | "again", body: object, command: string): Promise<void> => {
    try {
      await ask(`${path}/${what}`, "POST", body);
      said.value = `${command}: ${"action" in body && body.action === "stop" ? "sent" : "started"}`;
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
    await look();
  };
  const own = jobs.value.slice(-3);
  if (actions.length === 0 && own.length === 0 && again === undefined) return null;
  return (
    <section class="panel" aria-label="Actions">
      {actions.map((action) => (
        <div class="command" key={action.name}>
          <button
            type="button"
            disabled={!mayAct}
            onClick={() => run("actions", { action: action.name }, action.command)}
          >
            {action.name[0].toUpperCase() + action.name.slice(1)}
          </button>
          <code>{action.command}</code>
        </div>
      ))}
      {!mayAct && actions.length > 0 && (
        <span class="small muted">Without a token one can only look here: type the command yourself.</span>
      )}
      {again !== undefined && (
        <StartAgain words={again} onStart={(words, command) => run("again", { words }, command)} />
      )}
      <span role="status" class="small muted">
        {said.value}
      </span>
      {own.map(({ id, command, exitCode, output }, at) => (
        <details key={id} open={at === own.length - 1}>
          <summary>
            <code>{command}</code> {endText(exitCode)}
          </summary>
          <LongText text={output} />
        </details>
      ))}
    </section>
  );
}

function endText(exitCode: number | undefined): string {
  if (exitCode === undefined) return "is running";
  if (exitCode === 130) return "was interrupted";
  return exitCode === 0 ? "ended well" : `ended with ${exitCode}`;
}
