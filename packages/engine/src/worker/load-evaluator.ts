import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Evaluator, Resources } from "../contract/evaluator.ts";
import { madeElsewhere } from "../contract/made-with.ts";
import { describeFailure } from "./describe-failure.ts";
import { loadFailure } from "./load-failure.ts";

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
