import { formatValue, right, tableText } from "@coppice/engine/display";
import { styled } from "@coppice/engine/printable";
import type { AttackFigures, BenchReport, Figure, Goal } from "./report.ts";

const BAR = 24;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A benchmark for people: a bar per figure, scaled to the largest of its unit, then the goals. */
export function reportText({ name, node, cores, rounds, figures, goals, ok, partial, attacks }: BenchReport): string {
  return [
    `${name}: Node ${node}, ${counted(cores, "core")}, ${counted(rounds, "round")}`,
    ...(partial === undefined ? [] : [`cut down: ${partial}`]),
    "",
    ...(attacks === undefined ? [] : [attackTable(attacks), ""]),
    ...figureLines(Object.entries(figures)),
    ...(goals.length === 0 ? [] : ["", ...goalLines(goals), "", ok ? met(partial) : missed(goals)]),
  ].join("\n");
}

function figureLines(figures: readonly (readonly [string, Figure])[]): string[] {
  const longest = Math.max(0, ...figures.map(([name]) => name.length));
  const widest = Math.max(0, ...figures.map(([, { value }]) => formatValue(value).length));
  const byUnit = Map.groupBy(figures, ([, { unit }]) => unit);
  return figures.map(([name, { value, unit }]) => {
    const values = (byUnit.get(unit) ?? []).map(([, figure]) => figure.value);
    // A figure that has nothing to be compared with needs no bar.
    const part = values.length < 2 ? 0 : value / Math.max(...values);
    return `  ${name.padEnd(longest)}  ${formatValue(value).padStart(widest)} ${unit.padEnd(12)} ${bar(part)}`.trimEnd();
  });
}

function attackTable(attacks: readonly AttackFigures[]): string {
  const all = ["tries", "lost", "repeated", "wrong", "left", "keys"] as const;
  // Keys are counted only where there is a Redis.
  const counts = all.filter((field) => field !== "keys" || attacks.some(({ keys }) => keys !== null));
  const columns = ["attack", ...right(...counts), ""];
  const rows = attacks.map((attack) => [
    attack.name,
    ...counts.map((field) => (attack.skipped === undefined ? String(attack[field] ?? "n/m") : "-")),
    attack.skipped === undefined ? attack.summary : `skipped: ${attack.skipped}`,
  ]);
  return [
    tableText(columns, rows),
    ...(rows.some((row) => row.includes("n/m")) ? ["n/m: not measured by this attack"] : []),
    ...attacks.flatMap(({ name, problems }) => problems.map((line) => `${name}: ${line}`)),
    ...attacks.flatMap(({ name, except }) => (except === undefined ? [] : [`not promised (${name}): ${except}`])),
  ].join("\n");
}

function goalLines(goals: readonly Goal[]): string[] {
  const longest = Math.max(...goals.map(({ name }) => name.length));
  return goals.map(({ name, value, unit, goal, ok }) => {
    const mark = styled(ok ? "green" : "red", ok ? "✓" : "✗");
    return `  ${mark} ${name.padEnd(longest)}  ${formatValue(value)} ${unit}, goal ${goal}`;
  });
}

function met(partial: string | undefined): string {
  return partial === undefined ? "all goals met" : "all goals that were measured are met";
}

function missed(goals: readonly Goal[]): string {
  const count = goals.filter(({ ok }) => !ok).length;
  return `${count} of ${goals.length} goals missed`;
}

function bar(part: number): string {
  const eighths = Number.isFinite(part) ? Math.round(Math.min(1, Math.max(0, part)) * BAR * 8) : 0;
  return "█".repeat(eighths >> 3) + EIGHTHS[eighths & 7];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
