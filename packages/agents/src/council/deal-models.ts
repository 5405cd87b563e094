import { random } from "@coppice/engine/evaluator";

export interface Dealt {
  readonly persona: string;
  readonly model: string;
}

/**
 * Gives every persona a model for a round: the pool is shuffled by seed and round and dealt in turn, again from its
 * beginning when there are more personas. A persona with a model of its own keeps it.
 */
export function dealModels(
  personas: readonly { readonly name: string; readonly model?: string | undefined }[],
  pool: readonly string[],
  { seed, round }: { readonly seed: number; readonly round: number },
): Dealt[] {
  if (pool.length === 0) throw new RangeError("there must be at least one model to deal");
  const shuffled = random(seed).at("models").at(round).shuffle(pool);
  let next = 0;
  return personas.map(({ name, model }) => ({
    persona: name,
    model: model ?? (shuffled[next++ % shuffled.length] as string),
  }));
}
