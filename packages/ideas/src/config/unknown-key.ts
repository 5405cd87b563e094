import type { Complaint } from "@coppice/engine/files";
import type { z } from "zod";

interface UnknownKeys {
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
}

/**
 * The first key that a file has and its schema does not, with the nearest one that is meant; undefined when there is
 * none. A misspelt key is said before what is missing because of it.
 */
export function unknownKey(complaints: readonly Complaint[], content: unknown, schema: z.ZodType): string | undefined {
  const [first] = complaints.flatMap((complaint) => unknownKeys(complaint, []));
  if (first === undefined) return undefined;
  const { path, keys } = first;
  const [key] = keys;
  const there = path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), content);
  const known = keysAt(schema, path).filter((name) => !Object.hasOwn(Object(there), name));
  const where = path.length === 0 ? "" : `${path.map(String).join(".")}: `;
  if (keysAt(schema, path).includes(key)) {
    const others = Object.keys(Object(there)).filter((name) => name !== key);
    return `${where}give ${others.join(", ")} or ${key}, not both`;
  }
  const meant = nearest(key, known) ?? nearest(key, keysAt(schema, path));
  const hint = meant === undefined ? `; it may have ${known.join(", ")}` : `: did you mean "${meant}"?`;
  return `${where}unknown key "${key}"${hint}`;
}

/** What is unknown in a complaint, or in the shapes that something might have had. */
function unknownKeys({ path, errors = [], ...rest }: Complaint, above: readonly PropertyKey[]): UnknownKeys[] {
  const here = [...above, ...path];
  const keys = "keys" in rest && Array.isArray(rest.keys) ? rest.keys.map(String) : [];
  if (keys.length > 0) return [{ path: here, keys }];
  // Of several shapes one that knows all keys was meant: then nothing is misspelt.
  const found = errors.map((shape) => shape.flatMap((complaint) => unknownKeys(complaint, here)));
  const objects = errors.filter(
    ([first]) => first !== undefined && (first.path.length > 0 || !/^invalid_(type|union)$/.test(first.code ?? "")),
  );
  return objects.length > 0 && objects.every((shape) => found[errors.indexOf(shape)].length > 0)
    ? found.flat().sort((a, b) => a.keys.length - b.keys.length)
    : [];
}

/** The keys that a schema knows at a path. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const [name, ...rest] = path;
  if (typeof name === "number") return keysAt(Object(schema).def?.element, rest);
  return shapesOf(schema).flatMap((shape) => {
    if (name === undefined) return Object.keys(shape);
    return Object.hasOwn(shape, name) ? keysAt(shape[String(name)], rest) : [];
  });
}

/** The objects that a schema may be, whatever is around them. */
function shapesOf(schema: unknown): Readonly<Record<string, unknown>>[] {
  const { shape, def } = Object(schema) as {
    shape?: Readonly<Record<string, unknown>>;
    def?: { innerType?: unknown; options?: readonly unknown[] };
  };
  if (shape !== undefined) return [shape];
  const inner = [def?.innerType, ...(def?.options ?? [])];
  return inner.filter((each) => each !== undefined).flatMap(shapesOf);
}

/** The name that differs in the fewest letters, if that is less than half of them. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, letters: editDistance(word.toLowerCase(), name) }))
    .sort((a, b) => a.letters - b.letters);
  return best !== undefined && best.letters * 2 < Math.max(word.length, best.name.length) ? best.name : undefined;
}

/** Letters to add, leave out, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}
