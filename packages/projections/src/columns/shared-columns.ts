import type { ColumnArrays, Columns, ColumnsHeader } from "./columns.ts";

type ColumnArray = ColumnArrays[keyof ColumnArrays];
type ColumnArrayConstructor = new (buffer: ArrayBufferLike, at: number, length: number) => ColumnArray;

const KINDS: Readonly<Record<string, ColumnArrayConstructor>> = { Int32Array, Uint8Array, Uint16Array, Float64Array };

/** Where each array lies, in bytes from the end of this description. */
interface Layout {
  readonly header: ColumnsHeader;
  readonly arrays: readonly {
    readonly name: string;
    readonly kind: string;
    readonly at: number;
    readonly length: number;
  }[];
}

/**
 * Copies columns into one buffer that threads can share without a copy of their own: length of the description (4 bytes),
 * the description as JSON, then the arrays, each at a multiple of 8.
 */
export function shareColumns(columns: Columns): SharedArrayBuffer {
  const { header, ...arrays } = columns;
  let bytes = 0;
  const entries = Object.entries(arrays as ColumnArrays).map(([name, array]) => {
    const at = bytes;
    bytes = aligned(at + array.byteLength);
    return { name, kind: array.constructor.name, at, length: array.length };
  });
  const layout: Layout = { header, arrays: entries };
  const text = new TextEncoder().encode(JSON.stringify(layout));
  const start = aligned(4 + text.length);
  const buffer = new SharedArrayBuffer(start + bytes);
  new DataView(buffer).setUint32(0, text.length);
  new Uint8Array(buffer, 4, text.length).set(text);
  for (const { name, kind, at, length } of entries) {
    new KINDS[kind](buffer, start + at, length).set(arrays[name as keyof ColumnArrays]);
  }
  return buffer;
}

/** The columns in a shared buffer. */
export function openColumns(buffer: ArrayBufferLike): Columns {
  const length = new DataView(buffer).getUint32(0);
  const { header, arrays } = JSON.parse(Buffer.from(buffer, 4, length).toString("utf8")) as Layout;
  const start = aligned(4 + length);
  const opened = arrays.map(({ name, kind, at, length }) => [name, new KINDS[kind](buffer, start + at, length)]);
  return { header, ...(Object.fromEntries(opened) as ColumnArrays) };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
