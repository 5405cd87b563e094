import { UsageError } from "@coppice/engine";

/** The parameters to tune: those named, in the order named, or all; of these the first `count`. */
export function chosenParameters<P extends { readonly name: string }>(
  all: readonly P[],
  names: readonly string[] | undefined,
  count: number | undefined,
): readonly P[] {
  const chosen =
    names === undefined
      ? all
      : names.map((name) => {
          const found = all.find((parameter) => parameter.name === name);
          if (found === undefined)
            throw new UsageError(`unknown parameter ${name}: ${all.map((p) => p.name).join(", ")}`);
          return found;
        });
  if (chosen.length === 0) throw new UsageError("no parameters to tune: name at least one");
  if (count !== undefined && count > chosen.length) {
    throw new UsageError(`--num-params ${count} is more than the ${chosen.length} parameters there are`);
  }
  return chosen.slice(0, count);
}
