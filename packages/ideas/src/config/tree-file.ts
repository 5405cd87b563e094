import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, posix, resolve } from "node:path";
import { refuseReservedKeys, unknownKey, unreadable, wrongField, wrongSyntax } from "@coppice/engine/files";
import { poolKinds } from "@coppice/engine/pools";
import { UsageError } from "@coppice/engine/usage-error";
import { type Document, parseDocument } from "yaml";
import { z } from "zod";
import {
  conversationModes,
  dedupeScopes,
  type ReadConfiguration,
  type StepConfig,
  type TreeConfig,
} from "../settings.ts";
import { pathProblem } from "../steps/agent-answer.ts";
import { commandProblem, type Placeholder, stepPlaceholders } from "../steps/placeholders.ts";
import { choicesIn, type TreeChoices } from "./choices.ts";

/** A checked `coppice.tree.yaml`. */
export interface TreeFile {
  readonly config: TreeConfig;
  readonly choices: TreeChoices;
  readonly read: ReadConfiguration;
}

const count = z.int().min(1).max(1_000_000);
const seconds = z.number().positive().max(2_000_000);
const share = z.number().min(0).max(1);
const name = z.string().min(1);
const words = z.union([name, z.array(z.string()).min(1)]);

/** A place in the repository that is neither all of it nor out of it. */
const inside = name
  .transform((path) => posix.normalize(path).replace(/\/+$/, ""))
  .refine(
    (path) => !/^(\/|\.\.?(\/|$)|\.git(\/|$))/.test(path),
    "must be a path inside the repository, such as node_modules",
  );

const place = name.superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

/** Where in what a program prints its answer is. */
const answer = {
  reply: place.optional(),
  session: place.optional(),
  money: place.optional(),
  tokens: z.union([place.transform((path) => [path]), z.array(place).min(1)]).optional(),
  error: z.union([place, z.array(place).min(1)]).optional(),
};

const step = z.union([
  words,
  z.strictObject({
    command: words,
    timeout_seconds: seconds.nullish(),
    environment: z.record(name, z.string()).optional(),
    ...answer,
  }),
]);

const score = z.union([
  z.strictObject({
    primary: name,
    metrics: z
      .array(z.strictObject({ column: name, weight: z.number().positive(), better: z.enum(["higher", "lower"]) }))
      .min(1),
    primary_tolerance: share.optional(),
    risk: z.strictObject({ column: name, worse_by: share.default(0.1) }).nullish(),
  }),
  z.strictObject({ command: words, timeout_seconds: seconds.nullish() }),
]);

const search = z.strictObject({
  ideas_per_node: count.optional(),
  beam_width: count.optional(),
  sweep_config_limit: count.nullish(),
  dedupe_scope: z.enum(dedupeScopes).optional(),
  repeats: z
    .union([z.literal("auto"), z.int().min(1).max(1000)], {
      error: 'it must be "auto" or a whole number from 1 to 1000',
    })
    .optional(),
  max_repeats: z.int().min(1).max(10_000).nullish(),
  least_gain: z.number().min(0).max(2).nullish(),
  idea_conversation_mode: z.enum(conversationModes).optional(),
  idea_history_window_turns: z.int().min(-1).max(1_000_000).optional(),
  idea_history_max_chars: z.int().min(-1).max(1_000_000_000).optional(),
  max_depth: count.optional(),
  max_parallel_evals: z.int().min(1).max(1024).optional(),
  max_parallel_per_node: z.int().min(1).max(1024).nullish(),
  parallel_backend: z.lazy(() => z.enum(poolKinds().map(({ kind }) => kind))).optional(),
  eval_retries: z.int().min(0).max(1000).optional(),
  eval_timeout_seconds: seconds.nullish(),
  strict_fail_depth: z.boolean().optional(),
  on_strict_stop: z.enum(["drain", "cancel"]).optional(),
  promote_on_stop: z.boolean().optional(),
  max_total_idea_evals: count.nullish(),
  max_wall_seconds: seconds.nullish(),
  max_money: z.number().min(0).nullish(),
  max_tokens: z.number().min(0).nullish(),
  keep_rejected_worktrees: z.boolean().optional(),
  keep_failed_artifacts: z.boolean().optional(),
  lock_stale_seconds: z.int().min(6).max(2_000_000).optional(),
});

const file = z.strictObject({
  repository: name.default("."),
  baseline: name.nullish(),
  ideas: z.union([
    z.strictObject({ folder: name }),
    z.strictObject({ command: words, timeout_seconds: seconds.nullish(), ...answer }),
  ]),
  link: z.array(inside).optional(),
  share: z.array(inside).optional(),
  steps: z.strictObject({
    setup: step.nullish(),
    implement: step,
    review: step.nullish(),
    test: step.nullish(),
    sweep: step,
  }),
  review: z
    .strictObject({ max_rounds: z.int().min(0).max(100).default(0), proceed_on_max_rounds: z.boolean().default(false) })
    .prefault({}),
  results: z
    .strictObject({
      format: z.enum(["csv", "json"]).default("csv"),
      id_column: name.default("config_id"),
      error_column: name.nullish(),
    })
    .prefault({}),
  score,
  search: search.prefault({}),
});

/** What no tree can do without, and what to write. */
const needed: Readonly<Record<string, string>> = {
  ideas: "ideas: { folder: ideas }, or a command",
  steps: 'steps: { implement: …, sweep: … }; "coppice tree init" writes them',
  "steps.implement": 'how an idea is carried out, such as implement: ["./implement", "{idea}"]',
  "steps.sweep": 'how the code is measured, such as sweep: ["./sweep", "{results}"]',
  score:
    "which column counts, such as score: { primary: speed, metrics: [{ column: speed, weight: 1, better: higher }] }",
};

/** The first of them that is not there, in one line. */
function missingPart(content: unknown): string | undefined {
  if (typeof content !== "object" || Array.isArray(content)) return undefined;
  const at = (field: string) => field.split(".").reduce<unknown>((value, key) => Object(value)[key], content);
  const isNothing = (value: unknown) => value == null || JSON.stringify(value) === "{}";
  const field = Object.keys(needed).find((name) => isNothing(at(name)));
  return field === undefined ? undefined : `${field} is missing: give ${needed[field]}`;
}

/** Reads and checks a tree's configuration; a wrong line is named, with what would be right. */
export function readTreeFile(path: string): TreeFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const advice: Readonly<Record<string, string>> = {
      ENOENT: '; "coppice tree init" writes one',
      EISDIR: "; give the configuration file in it",
    };
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${path}: ${unreadable(error)}${advice[code] ?? ""}`);
  }
  // Reading YAML takes time beyond measure where a file is something else altogether.
  if (text.length > MOST)
    throw new UsageError(`${path} has ${text.length} characters; a configuration has at most ${MOST}`);
  return parseTreeFile(text, path);
}

const MOST = 1_000_000;

/** Reads a tree file; what is wrong with it is said with its path and line. */
export function parseTreeFile(text: string, path: string): TreeFile {
  const document = parseDocument(text, { prettyErrors: true });
  const [broken] = document.errors;
  if (broken !== undefined) throw new UsageError(`${path} is not valid YAML: ${wrongSyntax(broken)}`);
  const content = withAliases(document, path) ?? {};
  refuseReservedKeys(content, text, path);
  const checked = file.safeParse(content);
  if (!checked.success) {
    const { issues } = checked.error;
    throw new UsageError(
      `${path}: ${unknownKey(issues, content, file) ?? missingPart(content) ?? wrongField(issues, "the file").replace("not a text in quotes", "not a text")}`,
    );
  }
  const given = checked.data;
  const here = dirname(resolve(path));
  const at = (relative: string) => (isAbsolute(relative) ? relative : resolve(here, relative));
  const config: TreeConfig = {
    repository: at(given.repository),
    baseline: given.baseline == null ? null : at(given.baseline),
    ideas:
      "folder" in given.ideas
        ? { kind: "folder", path: at(given.ideas.folder) }
        : { kind: "command", step: stepOf(given.ideas) },
    link: given.link ?? [],
    share: given.share ?? [],
    steps: {
      setup: given.steps.setup == null ? null : stepOf(given.steps.setup),
      implement: stepOf(given.steps.implement),
      review: given.steps.review == null ? null : stepOf(given.steps.review),
      test: given.steps.test == null ? null : stepOf(given.steps.test),
      sweep: stepOf(given.steps.sweep),
    },
    review: { maxRounds: given.review.max_rounds, proceedOnMaxRounds: given.review.proceed_on_max_rounds },
    results: {
      format: given.results.format,
      idColumn: given.results.id_column,
      errorColumn: given.results.error_column ?? null,
    },
    score: scoreOf(given.score, path),
  };
  checkCommands(config, path);
  const choices = choicesIn(given.search, "file");
  return {
    config,
    choices,
    read: { path: resolve(path), sha256: hash("sha256", text, "hex"), choices: { ...choices } },
  };
}

/** An alias may stand for nothing, or for aliases of aliases without end. */
function withAliases(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UsageError(`${path} is not valid YAML: ${wrongSyntax(error as Error)}`);
  }
}

/** Every placeholder must be one that the step knows; a folder's are its own. */
function checkCommands({ ideas, steps, score, share }: TreeConfig, path: string): void {
  const check = (field: string, step: StepConfig | null, known: readonly Placeholder[]): void => {
    const problem = step === null ? undefined : commandProblem(step.command, known);
    if (problem !== undefined) throw new UsageError(`${path}: ${field}: ${problem}`);
  };
  if (ideas.kind === "command") check("ideas.command", ideas.step, stepPlaceholders.ideas);
  if (share.length > 0 && steps.setup === null) {
    throw new UsageError(`${path}: share: names what steps.setup makes, and there is no steps.setup`);
  }
  for (const name of ["setup", "implement", "review", "test", "sweep"] as const) {
    check(`steps.${name}`, steps[name], stepPlaceholders[name]);
  }
  if (score.kind === "command") check("score.command", score.step, stepPlaceholders.score);
}

type GivenStep = z.infer<typeof step>;

function stepOf(given: GivenStep | z.infer<typeof file>["ideas"]): StepConfig {
  if (typeof given === "string" || Array.isArray(given)) return { command: given, timeoutMs: null, environment: {} };
  if (!("command" in given)) throw new Error("unreachable: a folder is not a step");
  return {
    command: given.command,
    timeoutMs: given.timeout_seconds == null ? null : given.timeout_seconds * 1000,
    environment: "environment" in given ? (given.environment ?? {}) : {},
    ...answerOf(given),
  };
}

/** The step's map, where it has one. */
function answerOf(given: object): Pick<StepConfig, "answer"> {
  const said = Object.entries(given).filter(([name, path]) => Object.hasOwn(answer, name) && path !== undefined);
  return said.length === 0 ? {} : { answer: Object.fromEntries(said) };
}

function scoreOf(given: z.infer<typeof score>, path: string): TreeConfig["score"] {
  if ("command" in given) return { kind: "command", step: stepOf(given) };
  const { primary, metrics, primary_tolerance: primaryTolerance = 0.05, risk } = given;
  if (!metrics.some(({ column }) => column === primary)) {
    throw new UsageError(
      `${path}: score.primary is ${JSON.stringify(primary)}, which is not among score.metrics: ${metrics.map(({ column }) => column).join(", ")}`,
    );
  }
  return {
    kind: "columns",
    metrics,
    primary,
    primaryTolerance,
    ...(given.primary_tolerance !== undefined && { gateTolerance: primaryTolerance }),
    risk: risk == null ? null : { column: risk.column, worseBy: risk.worse_by },
  };
}
