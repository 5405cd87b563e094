import { Aside } from "./aside.ts";
import { LONG_TEXT, quote } from "./long-text.ts";

/**
 * Values as text. The text is what is journaled, hashed and told (after decoding), so nothing may change on the way:
 * what JSON would alter silently is tagged, what cannot be written down is refused with its place in the value.
 *
 * A tagged value is `{"$":"<tag>","v":…}`; an ordinary object that has a key `$` is itself tagged.
 */
export class ValueRefused extends Error {
  override readonly name = "ValueRefused";
}

type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

type TypedArrayConstructor = new (buffer: ArrayBuffer) => TypedArray;

const typedArrays: Readonly<Record<string, TypedArrayConstructor>> = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

/** Encodes a value; throws {@link ValueRefused} when it cannot be written down exactly or is longer than `maxBytes`. */
export function encode(value: unknown, maxBytes = Number.POSITIVE_INFINITY): string {
  byHand = false;
  const text = isPlain(value, 0) ? stringify(value) : JSON.stringify(tag(value, "value", []));
  // A UTF-16 unit is at most 3 bytes of UTF-8, so short texts need no exact count.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    throw new ValueRefused(`the value takes ${Buffer.byteLength(text)} bytes encoded; the limit is ${maxBytes}`);
  }
  return text;
}

/** Gives back exactly what {@link encode} was given. */
export function decode(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return text.includes('"$"') ? untag(parsed) : parsed;
}

const MAX_PLAIN_DEPTH = 40;

/** Whether {@link isPlain} came across something that is worth writing by hand: a long text, or a frozen part. */
let byHand = false;

/** Texts of frozen parts that consist of nothing but frozen parts: as they cannot change, they are written once. */
const frozenTexts = new WeakMap<object, string>();

/** True when JSON alone keeps the value exactly. Depth-limited, so that a cycle ends here and is diagnosed by `tag`. */
function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
      if (value.length >= LONG_TEXT) byHand = true;
      return true;
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (frozenTexts.has(value)) {
    byHand = true;
    return true;
  }
  if (Object.isFrozen(value)) byHand = true;
  if (depth > MAX_PLAIN_DEPTH) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlain(value[i], depth + 1)) return false;
    return Object.getPrototypeOf(value) === Array.prototype && Object.keys(value).length === value.length;
  }
  if (!isRecord(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  // Whatever else `in` finds besides the object's own keys is looked at again by `tag`.
  for (const key in value) if (key === "$" || !isPlain(value[key], depth + 1)) return false;
  return true;
}

/** `JSON.stringify` of a plain value. */
function stringify(value: unknown): string {
  return byHand && typeof value === "object" && value !== null ? written(value) : JSON.stringify(value);
}

/** Collects the parts of a text: the whole is put together once, by one copy, when it is sent or written. */
function written(value: object): string {
  const parts: string[] = [];
  write(value, parts);
  return parts.join("");
}

function write(value: unknown, parts: string[]): void {
  if (typeof value === "string") parts.push(value.length < LONG_TEXT ? JSON.stringify(value) : quote(value));
  else if (typeof value !== "object" || value === null) parts.push(String(value));
  else if (!Object.isFrozen(value)) writeParts(value, parts);
  else {
    const known = frozenTexts.get(value);
    if (known !== undefined) parts.push(known);
    else writeFrozen(value, parts);
  }
}

function writeFrozen(value: object, parts: string[]): void {
  const own: string[] = [];
  writeParts(value, own);
  const text = own.join("");
  if (Object.values(value).every(isFixed)) frozenTexts.set(value, text);
  parts.push(text);
}

function writeParts(value: object, parts: string[]): void {
  if (Array.isArray(value)) {
    parts.push("[");
    for (let i = 0; i < value.length; i++) {
      if (i > 0) parts.push(",");
      write(value[i], parts);
    }
    parts.push("]");
    return;
  }
  parts.push("{");
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length; i++) {
    if (i > 0) parts.push(",");
    parts.push(keyText(keys[i]));
    write((value as Record<string, unknown>)[keys[i]], parts);
  }
  parts.push("}");
}

/** Keys as they are written; candidates of a search have the same few. */
const keyTexts = new Map<string, string>();
const MOST_KEY_TEXTS = 1000;

function keyText(key: string): string {
  const known = keyTexts.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (keyTexts.size < MOST_KEY_TEXTS) keyTexts.set(key, text);
  return text;
}

function isFixed(part: unknown): boolean {
  return typeof part !== "object" || part === null || frozenTexts.has(part);
}

function isRecord(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function tag(value: unknown, path: string, above: readonly object[]): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Object.is(value, -0)) return { $: "number", v: "-0" };
      return Number.isFinite(value) ? value : { $: "number", v: String(value) };
    case "undefined":
      return { $: "undefined" };
    case "bigint":
      return { $: "bigint", v: value.toString() };
    case "object":
      return value === null ? null : tagObject(value, path, above);
    default:
      throw new ValueRefused(`${path} is a ${typeof value}; only data can be written down`);
  }
}

function tagObject(value: object, path: string, above: readonly object[]): unknown {
  if (above.includes(value)) throw new ValueRefused(`${path} refers back to an object that contains it (a cycle)`);
  const chain = [...above, value];
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) {
      throw new ValueRefused(`${path} is an array with holes or extra properties`);
    }
    return value.map((item, i) => tag(item, `${path}[${i}]`, chain));
  }
  if (value instanceof Aside) return { $: "aside", v: tag(value.facts, `${path}.facts`, chain) };
  if (value instanceof Date) return { $: "date", v: Number.isNaN(value.getTime()) ? "NaN" : value.getTime() };
  if (value instanceof Map) {
    const entries = [...value].map(([k, v], i) => [
      tag(k, `${path}.key(${i})`, chain),
      tag(v, `${path}.get(${typeof k === "object" ? `key(${i})` : String(k)})`, chain),
    ]);
    return { $: "map", v: entries };
  }
  if (value instanceof Set) return { $: "set", v: [...value].map((item, i) => tag(item, `${path}.item(${i})`, chain)) };
  if (ArrayBuffer.isView(value)) {
    const name = value.constructor.name;
    if (typedArrays[name] === undefined) throw new ValueRefused(`${path} is a ${name}; use a typed array`);
    return { $: name, v: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") };
  }
  if (!isRecord(value)) {
    const name = value.constructor?.name ?? "object";
    throw new ValueRefused(
      `${path} is a ${name}; only plain objects, arrays, Map, Set, Date and typed arrays can be written down`,
    );
  }
  if (Object.getOwnPropertySymbols(value).length > 0) throw new ValueRefused(`${path} has a symbol as a key`);
  const entries = Object.keys(value).map((key) => [key, tag(value[key], `${path}.${key}`, chain)] as const);
  if (Object.hasOwn(value, "$")) return { $: "object", v: entries };
  return Object.fromEntries(entries);
}

function untag(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = untag(value[i]);
    return value;
  }
  const record = value as Record<string, unknown>;
  if (!Object.hasOwn(record, "$")) {
    for (const key of Object.keys(record)) {
      const item = record[key];
      if (typeof item === "object" && item !== null) define(record, key, untag(item));
    }
    return record;
  }
  return untagged(String(record.$), record.v);
}

function untagged(name: string, content: unknown): unknown {
  switch (name) {
    case "number":
      return content === "-0" ? -0 : Number(content);
    case "undefined":
      return undefined;
    case "bigint":
      return BigInt(String(content));
    case "date":
      return new Date(Number(content));
    case "map":
      return new Map((content as [unknown, unknown][]).map(([k, v]) => [untag(k), untag(v)]));
    case "set":
      return new Set((content as unknown[]).map(untag));
    case "aside":
      return new Aside(untag(content));
    case "object": {
      const record = {};
      for (const [key, item] of content as [string, unknown][]) define(record, key, untag(item));
      return record;
    }
    default: {
      const Constructor = typedArrays[name];
      if (Constructor === undefined) throw new Error(`unknown tag ${JSON.stringify(name)} in an encoded value`);
      const bytes = Buffer.from(String(content), "base64");
      return new Constructor(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
    }
  }
}

/** Assignment that also works for `__proto__`. */
function define(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true });
}
