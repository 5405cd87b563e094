import { formatCount } from "@coppice/engine/figures";
import type { RunDetail } from "../../src/wire.ts";

/** What was asked of the run: what its answer depends on. */
export function Facts({ run }: { readonly run: RunDetail }) {
  const { start, end, facts, startedAt, directory } = run;
  const all: readonly (readonly [string, string])[] = [
    ["folder", directory],
    ["started", new Date(startedAt).toLocaleString()],
    ...(start === undefined
      ? []
      : ([
          ["tool", start.tool],
          ["seed", String(start.seed)],
          ["lookahead", String(start.lookahead)],
          ["pool", `${start.pool}, ${start.workers} ${start.workers === 1 ? "worker" : "workers"}`],
        ] as const)),
    ...(end?.state !== "done" ? [] : [["reproducible from", reproducibleFrom(end)] as const]),
    ...facts.map(({ name, value }) => [name, value] as const),
  ];
  return (
    <section class="panel" aria-label="Settings">
      <h2>Settings</h2>
      <dl class="facts">
        {all.map(([name, value]) => (
          <>
            <dt key={`${name}-name`}>{name}</dt>
            <dd key={name}>{value}</dd>
          </>
        ))}
      </dl>
    </section>
  );
}

function reproducibleFrom({ reproducible }: Extract<RunDetail["end"], { state: "done" }>): string {
  if (reproducible.from === "seed") return "its seed";
  return `its journal, not its seed: ${reproducible.reason} at tell ${formatCount(reproducible.tell)}`;
}
