import type { ChosenTree } from "../config/choose-tree.ts";
import type { CheckedStep } from "./check-tree.ts";
import { ideasInFolder } from "./full-run.ts";

/** Ideas that no node is ever offered, in one line; undefined where there are none. */
export function ideasLeftOut(chosen: ChosenTree): string | undefined {
  const { ideasPerNode } = chosen.shape;
  const there = chosen.shape.dryRun ? undefined : ideasInFolder(chosen.config);
  if (there === undefined || there <= ideasPerNode) return undefined;
  return `there are ${there} ideas, and each node is offered the first ${ideasPerNode} by name: --ideas-per-node ${there} offers all`;
}

/** Steps of the agent whose price was to be read from what they print, and came to nothing. */
export function pricesNotFound({ config: { steps } }: ChosenTree, tried: readonly CheckedStep[]): readonly string[] {
  return (["implement", "review"] as const).flatMap((name) => {
    const { money, tokens = [] } = steps[name]?.answer ?? {};
    const those = tried.filter(({ step }) => step === name);
    if (those.length === 0) return [];
    const nothing = (kind: "money" | "tokens") => those.every(({ cost }) => cost[kind] === 0);
    return [
      ...(money !== undefined && nothing("money")
        ? [`${name} stated no money at ${money}: no budget sees what it costs`]
        : []),
      ...(tokens.length > 0 && nothing("tokens")
        ? [`${name} stated no tokens at ${tokens.join(", ")}: no budget sees them`]
        : []),
    ];
  });
}
