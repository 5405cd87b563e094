import { existsSync } from "node:fs";
import { extname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Evaluator, Resources } from "../contract/evaluator.ts";
import { madeElsewhere } from "../contract/made-with.ts";
import { describeFailure } from "./describe-failure.ts";

type AnyEvaluator = Evaluator<unknown, unknown, unknown, unknown>;

/** Why an evaluator cannot be used, in one line; `detail` is the stack of what its module or setup threw. */
export class EvaluatorUnusable extends Error {
  override readonly name = "EvaluatorUnusable";
  readonly detail: string;

  constructor(message: string, detail = "") {
    super(message);
    this.detail = detail;
  }
}

/** Imports the module and checks that its default export is an evaluator. */
export async function loadEvaluator(url: string): Promise<AnyEvaluator> {
  const place = placeOf(url);
  if (url.startsWith("file:") && !existsSync(fileURLToPath(url))) {
    throw new EvaluatorUnusable(`evaluator ${place}: no such file`);
  }
  let module: { default?: unknown };
  try {
    module = await import(url);
  } catch (error) {
    const { stack } = describeFailure(error);
    throw new EvaluatorUnusable(`evaluator ${place} cannot be loaded: ${loadFailure(error, place)}`, stack);
  }
  if (!isEvaluator(module.default)) {
    throw new EvaluatorUnusable(
      `evaluator ${place} has no default export with an "evaluate" function; ` +
        "write: export default defineEvaluator({ evaluate: … })",
    );
  }
  const elsewhere = madeElsewhere(module.default);
  if (elsewhere !== undefined) throw new EvaluatorUnusable(`evaluator ${place} ${elsewhere}`);
  return module.default;
}

/** Why a user's module cannot be loaded, in one line: Node's own words, or what to do where those leave it open. */
export function loadFailure(error: unknown, path: string): string {
  const { type, message, stack } = describeFailure(error);
  const [line] = message.trim().split("\n", 1);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") {
    return `Node runs no TypeScript below node_modules (${/"(?:file:\/\/)?([^"]*)"/.exec(line)?.[1] ?? path}): have that package built to JavaScript, or move the module into your project`;
  }
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    const [, name, importer] = /Cannot find (?:package|module) '([^']*)'(?: imported from (.*))?/.exec(line) ?? [];
    if (name !== undefined && !/^[./]|^[a-z]:[\\/]/i.test(name)) {
      const wanted = importer === undefined || importer === path ? "" : `, which ${importer} imports,`;
      return `the package "${packageOf(name)}"${wanted} is not installed: npm install ${packageOf(name)}`;
    }
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return "it is neither JavaScript nor TypeScript (.ts, .js, .mjs, .cjs); a program in another language is what --command takes";
  }
  if (type === "SyntaxError" && /import statement outside a module|Unexpected token 'export'/.test(line)) {
    const modules = extname(path).includes("ts") ? ".mts" : ".mjs";
    return `it uses import and export, but its package.json says "type": "commonjs": set "type": "module" there, or give it the ending ${modules}`;
  }
  const at = type === "SyntaxError" ? placeOfSyntaxError(path, stack) : placeThrown(stack);
  return `${type}: ${line}${at === undefined ? "" : ` (${at})`}`;
}

/** File and line of the first frame that is not Node's own, as seen from here. */
function placeThrown(stack = ""): string | undefined {
  const [, place, at] = /^ +at (?:.*\()?((?:file:\/\/)?\/[^\s()]+?):(\d+):\d+\)?$/m.exec(stack) ?? [];
  if (place === undefined) return undefined;
  return `${fromHere(place.startsWith("file:") ? fileURLToPath(place) : place)}:${at}`;
}

/** Of TypeScript the error itself says it. Of JavaScript Node keeps it to itself, but tells whoever has the file checked. */
function placeOfSyntaxError(path: string, stack = ""): string | undefined {
  const [, typed, at] = /^(?:file:\/\/)?(\/.+):(\d+)\n/.exec(stack) ?? [];
  if (typed !== undefined) return `${fromHere(typed)}:${at}`;
  if (!/\.[cm]?js$/.test(path)) return undefined; // it does not read types when it only checks
  // Not imported above: every worker loads this module, and hardly any gets here.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8", timeout: 10_000 });
  const [, place, line] = /^(?:file:\/\/)?(\/.+):(\d+)$/m.exec(stderr ?? "") ?? [];
  return place === undefined ? undefined : `${fromHere(place)}:${line}`;
}

function fromHere(path: string): string {
  const place = relative(process.cwd(), path);
  return place.startsWith("..") ? path : place;
}

/** `@a/b/c` is part of the package `@a/b`. */
function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

/** Runs the evaluator's setup, if it has one. */
export async function setUp(
  evaluator: AnyEvaluator,
  url: string,
  context: unknown,
  shared: Readonly<Record<string, SharedArrayBuffer>>,
  resources: Resources,
): Promise<unknown> {
  try {
    return await evaluator.setup?.(context, shared, resources);
  } catch (error) {
    const { type, message, stack } = describeFailure(error);
    // What was used wrongly is said as it is: the evaluator is not to blame.
    if (type === "UsageError") throw new EvaluatorUnusable(firstLine(message), stack);
    throw new EvaluatorUnusable(`evaluator ${placeOf(url)}: setup failed: ${type}: ${firstLine(message)}`, stack);
  }
}

/** The module as people know it: a path if it is a file. */
export function placeOf(url: string): string {
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}

function isEvaluator(value: unknown): value is AnyEvaluator {
  return (
    typeof value === "object" &&
    value !== null &&
    "evaluate" in value &&
    typeof value.evaluate === "function" &&
    (!("setup" in value) || value.setup === undefined || typeof value.setup === "function") &&
    (!("teardown" in value) || value.teardown === undefined || typeof value.teardown === "function")
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0];
}
