import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { unreadable } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";

/** How items are told apart: a line each, a zero byte after each, or JSON. */
export type ItemFormat = "lines" | "null" | "json";

/** Reads the items of all files, or of standard input, as texts: what a program is given as an argument. */
export async function readItems(files: readonly string[], format: ItemFormat): Promise<string[]> {
  if (files.length === 0 && process.stdin.isTTY) {
    throw new UsageError("there is nothing to map: pipe items in, name a file with -a, or write them after :::");
  }
  const sources = files.length === 0 ? ["-"] : files;
  const items: string[] = [];
  for (const source of sources) {
    const name = source === "-" ? "standard input" : source;
    const bytes = await contentOf(source === "-" ? process.stdin : createReadStream(source), name);
    // One by one: a spread of a million arguments is too many.
    for (const item of itemsIn(bytes, format, name)) items.push(item);
  }
  return items;
}

async function contentOf(stream: Readable, name: string): Promise<Buffer> {
  try {
    return await buffer(stream);
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${unreadable(error)}`);
  }
}

/** The items of a text; says which of them no program could be given. */
function itemsIn(bytes: Buffer, format: ItemFormat, name: string): string[] {
  if (!isUtf8(bytes)) throw new UsageError(`${name} is not valid UTF-8: ${placeOfBytes(bytes)}`);
  const text = bytes.toString("utf8");
  const items = format === "json" ? jsonItems(text, name) : separated(text, format === "null" ? "\0" : "\n");
  const odd = items.findIndex((item) => item.includes("\0") || !item.isWellFormed());
  if (odd < 0) return items;
  throw new UsageError(
    items[odd].includes("\0")
      ? `${name}: item ${odd + 1} holds a zero byte, which no argument can hold (-0 takes it for the end of an item)`
      : `${name}: item ${odd + 1} is not valid Unicode`,
  );
}

function separated(text: string, separator: string): string[] {
  const items = text.split(separator);
  // What comes after the last separator is an item only if there is something.
  if (items.at(-1) === "") items.pop();
  return items;
}

/** A JSON array, or a JSON value per line. */
function jsonItems(text: string, name: string): string[] {
  if (text.trim() === "") return [];
  try {
    const whole: unknown = JSON.parse(text);
    return Array.isArray(whole) ? whole.map(itemText) : [itemText(whole)];
  } catch (error) {
    if (text.trimStart().startsWith("[\n") || !text.trim().includes("\n")) {
      throw new UsageError(`${name} is not JSON: ${(error as Error).message}`);
    }
  }
  return separated(text, "\n").flatMap((line, i) => {
    if (line.trim() === "") return [];
    try {
      return [itemText(JSON.parse(line))];
    } catch (error) {
      throw new UsageError(`${name} line ${i + 1} is not JSON: ${(error as Error).message}`);
    }
  });
}

/** A text is itself; anything else is its JSON. */
function itemText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function placeOfBytes(bytes: Buffer): string {
  let line = 1;
  for (let at = 0; at < bytes.length; line++) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(at, next))) break;
    at = next;
  }
  return `see line ${line}`;
}
