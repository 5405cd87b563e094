import { createRequire } from "node:module";
import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import type { JsonSchema } from "../models/consultation.ts";

/** Says what is wrong with a value, in one line; undefined when it is as the schema wants it. */
export type Check = (value: unknown) => string | undefined;

const OPTIONS: Options = { strict: false, logger: false, verbose: true };
const known = new WeakMap<JsonSchema, Check>();

/** The check that a JSON Schema describes; throws an error in plain words when it is none, or one that cannot be followed. */
export function checkOf(schema: JsonSchema): Check {
  const made = known.get(schema);
  if (made !== undefined) return made;
  const validate = compiled(schema);
  const check: Check = (value) => {
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${fieldOf(error) || "the value"}: ${inWords(error)}`;
  };
  // What leads in a circle is noticed only when a value is checked: better now than when an answer was paid for.
  for (const value of [null, "", [], {}]) check(value);
  known.set(schema, check);
  return check;
}

function compiled(given: JsonSchema): ValidateFunction {
  const ajv = checker(given);
  // Of the drafts we know one that says so was chosen; `$async` would make the checker throw instead of answer.
  const { $schema: _draft, $async: _later, ...schema } = given;
  if (ajv.validateSchema(schema) === false) {
    const [error] = ajv.errors ?? [];
    throw new Error(`${fieldOf(error) || "it"}: ${inWords(error)}`);
  }
  return ajv.compile(schema);
}

/** Loaded only for questions that have a schema. One of an older draft says so itself. */
function checker({ $schema = "" }: JsonSchema): Ajv {
  const require = createRequire(import.meta.url);
  const isOlder = /draft-0[67]/.test(String($schema));
  const { default: Checker } = require(isOlder ? "ajv" : "ajv/dist/2020.js") as typeof import("ajv");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  return addFormats.default(new Checker(OPTIONS));
}

/** Where the value is that is wrong, as one would write it: `items[2].name`. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const parts = instancePath.split("/").slice(1);
  const missing = keyword === "required" ? [String(params.missingProperty)] : [];
  return [...parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")), ...missing].reduce(
    (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`),
    "",
  );
}

function inWords({ keyword, params, message = "is wrong", data }: ErrorObject): string {
  if (keyword === "required") return "it is missing";
  if (keyword === "additionalProperties") return `unknown field ${JSON.stringify(params.additionalProperty)}`;
  if (keyword === "enum")
    return `it must be one of ${params.allowedValues.map(asText).join(", ")}, not ${asText(data)}`;
  if (keyword === "const") return `it must be ${asText(params.allowedValue)}, not ${asText(data)}`;
  if (keyword === "type") return `it must be ${[params.type].flat().map(kindNamed).join(" or ")}, not ${kindOf(data)}`;
  return `it ${message.replace("NOT", "not").replace("## ", "")}`;
}

function asText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a text",
};

function kindNamed(type: string): string {
  return KINDS[type] ?? type;
}

function kindOf(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  return kindNamed(Array.isArray(value) ? "array" : typeof value);
}
