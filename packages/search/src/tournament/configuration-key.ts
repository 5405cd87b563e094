import { hash } from "node:crypto";
import type { Configuration } from "./parameter.ts";

/** Equal configurations have equal keys, whatever the order of their fields, so each is evaluated once. */
export function configurationKey(configuration: Configuration): string {
  return keyOf(canonical(configuration));
}

/**
 * The key of a configuration with another value at a place, for many values: what comes before and after the value is
 * written once.
 */
export function keysAlong(configuration: Configuration, path: readonly string[]): (value: unknown) => string {
  const { before, after } = around(configuration, path);
  return (value) => keyOf(before + canonical(value) + after);
}

function keyOf(text: string): string {
  return hash("sha256", text).slice(0, 32);
}

/** Configurations share the parts they do not change, so most of a text is known already. */
const known = new WeakMap<object, string>();

function canonical(value: unknown): string {
  // A baseline may have it, and it is not the candidate that 0 is.
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let text = known.get(value);
  if (text === undefined) {
    text = Array.isArray(value) ? `[${value.map(canonical).join(",")}]` : `{${fields(value).join(",")}}`;
    known.set(value, text);
  }
  return text;
}

function fields(value: object): readonly string[] {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
}

/** The canonical text of an object with something else at the end of the path, without that something. */
function around(value: unknown, path: readonly string[]): { readonly before: string; readonly after: string } {
  const [key, ...rest] = path;
  if (key === undefined) return { before: "", after: "" };
  const own = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const inner = around((own as Configuration)[key], rest);
  const others = Object.entries(own).filter(([name]) => name !== key);
  const [lower, upper] = [true, false].map((below) =>
    fields(Object.fromEntries(others.filter(([name]) => name < key === below))),
  );
  return {
    before: `{${[...lower, `${JSON.stringify(key)}:`].join(",")}${inner.before}`,
    after: `${inner.after}${upper.map((field) => `,${field}`).join("")}}`,
  };
}
