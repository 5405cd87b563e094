import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ActionRow, Job } from "../../src/wire.ts";
import { ask } from "../connection.ts";

const JOBS_EVERY_MS = 1000;

/** What can be done with the run, each with the command it stands for, and what became of those that were started here. */
export function Actions({ path, actions }: { readonly path: string; readonly actions: readonly ActionRow[] }) {
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
  const run = async (action: ActionRow): Promise<void> => {
    try {
      await ask(`${path}/actions`, "POST", { action: action.name });
      said.value = `${action.command}: started`;
    } catch (error) {
      said.value = error instanceof Error ? error.message : String(error);
    }
    await look();
  };
  const own = jobs.value.slice(-3);
  if (actions.length === 0 && own.length === 0) return null;
  return (
    <section class="panel" aria-label="Actions">
      {actions.map((action) => (
        <div class="command" key={action.name}>
          <button type="button" onClick={() => run(action)}>
            {action.name[0].toUpperCase() + action.name.slice(1)}
          </button>
          <code>{action.command}</code>
        </div>
      ))}
      <span role="status" class="small muted">
        {said.value}
      </span>
      {own.map(({ id, command, exitCode, output }) => (
        <details key={id} open={exitCode === undefined}>
          <summary>
            <code>{command}</code>{" "}
            {exitCode === undefined ? "is running" : exitCode === 0 ? "ended well" : `ended with ${exitCode}`}
          </summary>
          <pre>{output}</pre>
        </details>
      ))}
    </section>
  );
}
