import { nearestName } from "./misspelt.ts";
import type { Complaint } from "./wrong-field.ts";

interface UnknownKeys {
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
}

/**
 * The first key that a file has and its schema does not, with the nearest one that is meant; undefined when there is
 * none. A misspelt key is said before what is missing because of it.
 */
export function unknownKey(complaints: readonly Complaint[], content: unknown, schema: unknown): string | undefined {
  const found = firstUnknown(complaints, content, schema);
  if (found === undefined) return undefined;
  const { where, key, beside, known } = found;
  if (known.includes(key)) return `${where}give ${beside.join(", ")} or ${key}, not both`;
  return `${where}unknown key "${key}"${hintFor(found)}`;
}

/** The same of files whose keys are called fields; nothing of a key that only does not go with the others. */
export function misspeltField(complaints: readonly Complaint[], content: unknown, schema: unknown): string | undefined {
  const found = firstUnknown(complaints, content, schema);
  if (found === undefined || found.known.includes(found.key)) return undefined;
  return `${found.where}unknown field ${JSON.stringify(found.key)}${hintFor(found)}`;
}

interface UnknownKey {
  readonly where: string;
  readonly key: string;
  /** What else is there. */
  readonly beside: readonly string[];
  /** What may be there. */
  readonly known: readonly string[];
}

function firstUnknown(complaints: readonly Complaint[], content: unknown, schema: unknown): UnknownKey | undefined {
  const [first] = complaints.flatMap((complaint) => unknownKeys(complaint, []));
  if (first === undefined) return undefined;
  const { path, keys } = first;
  const there = path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), content);
  const where = path.length === 0 ? "" : `${path.map(String).join(".")}: `;
  const beside = Object.keys(Object(there)).filter((name) => name !== keys[0]);
  return { where, key: keys[0], beside, known: [...new Set(keysAt(schema, path))] };
}

function hintFor({ key, beside, known }: UnknownKey): string {
  const left = known.filter((name) => !beside.includes(name));
  const meant = nearestName(key, left) ?? nearestName(key, known);
  if (meant !== undefined) return `: did you mean "${meant}"?`;
  return left.length === 0 ? "" : `; it may have ${left.join(", ")}`;
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
  return plainShapes(schema).flatMap(({ shape, def }) => {
    if (typeof name === "number") return keysAt(def?.element, rest);
    if (shape === undefined) return [];
    if (name === undefined) return Object.keys(shape);
    return Object.hasOwn(shape, name) ? keysAt(shape[String(name)], rest) : [];
  });
}

/** What the library that checks shapes says of an object, a list or a wrapping. */
interface Shape {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly def?: {
    readonly element?: unknown;
    readonly innerType?: unknown;
    readonly in?: unknown;
    readonly options?: readonly unknown[];
  };
}

/** What a schema may be, whatever is around it. */
function plainShapes(schema: unknown): Shape[] {
  const { shape, def } = Object(schema) as Shape;
  const inner = [def?.innerType, def?.in, ...(def?.options ?? [])].filter((each) => each !== undefined);
  return inner.length === 0 ? [{ ...(shape && { shape }), ...(def && { def }) }] : inner.flatMap(plainShapes);
}
