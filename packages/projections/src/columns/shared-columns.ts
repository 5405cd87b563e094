import type { ColumnArrays, Columns, ColumnsHeader } from "./columns.ts";

type ColumnArray = ColumnArrays[keyof ColumnArrays];
type ColumnArrayConstructor = new (buffer: ArrayBufferLike, at: number, length: number) => ColumnArray;

const KINDS: Readonly<Record<string, ColumnArrayConstructor>> = { Int32Array, Uint8Array, Uint16Array, Float64Array };

/** Where each array lies in the shared buffer; small enough to send as text. */
export interface ColumnsLayout {
  readonly header: ColumnsHeader;
  readonly arrays: readonly {
    readonly name: string;
    readonly kind: string;
    readonly at: number;
    readonly length: number;
  }[];
}

/** Copies columns into one buffer that threads can share without a copy of their own. */
export function shareColumns(columns: Columns): { readonly layout: ColumnsLayout; readonly buffer: SharedArrayBuffer } {
  const { header, ...arrays } = columns;
  let bytes = 0;
  const entries = Object.entries(arrays as ColumnArrays).map(([name, array]) => {
    const at = bytes;
    bytes = Math.ceil((at + array.byteLength) / 8) * 8;
    return { name, kind: array.constructor.name, at, length: array.length, array };
  });
  const buffer = new SharedArrayBuffer(bytes);
  for (const { kind, at, length, array } of entries) new KINDS[kind](buffer, at, length).set(array);
  return {
    buffer,
    layout: { header, arrays: entries.map(({ name, kind, at, length }) => ({ name, kind, at, length })) },
  };
}

/** The columns in a shared buffer. */
export function openColumns(layout: ColumnsLayout, buffer: ArrayBufferLike): Columns {
  const arrays = layout.arrays.map(({ name, kind, at, length }) => [name, new KINDS[kind](buffer, at, length)]);
  return { header: layout.header, ...(Object.fromEntries(arrays) as ColumnArrays) };
}
