import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { strangerOwning } from "@coppice/engine/stranger";
import { UsageError } from "@coppice/engine/usage-error";
import { z } from "zod";
import { givenText } from "./given-file.ts";
import { promptCommandProblem } from "./prompt-command.ts";
import { providerKinds } from "./providers/kinds.ts";
import { readYaml } from "./read-yaml.ts";

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'must be letters, digits, ".", "_" or "-", without "/"');
const positive = z.number().positive();
const count = z.int().positive();

const limits = {
  /** Requests under way at once. */
  maxConcurrent: count.optional(),
  requestsPerMinute: positive.optional(),
};

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable, not the key itself");

/** As the files in `providers/` are called. */
const KINDS = [
  "openrouter",
  "openai",
  "anthropic",
  "google",
  "azure",
  "ollama",
  "llama.cpp",
  "vllm",
  "openai-compatible",
] as const;

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, "must be the name of a header")
  .refine(
    (text) => !/key|token|authorization|secret/i.test(text),
    "must not hold a key: name its variable in keyVariable",
  );

const httpProvider = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/, error: "must be an http or https address such as https://example.org/v1" }),
  /** Environment variable that holds the key; a provider without one needs no key. */
  keyVariable: variableName.optional(),
  /** What it is, where its address does not tell: `ollama`, `vllm`, `azure`, … */
  kind: z.enum(KINDS, `must be one of ${KINDS.join(", ")}`).optional(),
  /** Headers that every request has, and what follows the address; never keys. */
  headers: z.record(headerName, z.string()).optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** Asks for the answer piece by piece, so that progress is visible. Default true. */
  stream: z.boolean().optional(),
  /** The provider says in its answers what they cost. */
  reportsCost: z.boolean().optional(),
  ...limits,
});

const commandProvider = z.strictObject({
  /** A program that answers a prompt: in place of `{prompt}` among its arguments, otherwise on standard input. A list needs no shell. */
  command: z
    .union([
      z.string().trim().min(1, "must name a program"),
      z.tuple([z.string().min(1, "must name a program")], z.string()).readonly(),
    ])
    .superRefine((command, context) => {
      const problem = promptCommandProblem(command);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
  /** Environment variables with keys that the program is given; it gets no others. */
  keys: z.array(variableName).optional(),
  /** What it prints: its answer as text (if absent), or the JSON of `claude -p --output-format json` or `codex exec --json`. */
  prints: z.enum(["text", "claude-json", "codex-json"]).optional(),
  ...limits,
});

/** Answers made up on this machine, to try things out. */
const demoProvider = z.strictObject({ demo: z.literal(true), ...limits });

const provider = z.union([httpProvider, commandProvider, demoProvider]);

/** US dollars per million tokens. */
const price = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() });

const model = z.strictObject({
  provider: name,
  /** As the provider calls it; a command or the demo needs none. */
  model: z.string().min(1).optional(),
  price: price.optional(),
});

/** The shape of `coppice.models.yaml`. */
const modelsFile = z.strictObject({
  providers: z.record(name, provider),
  models: z.record(name, model).default({}),
  /** The model that is asked when nothing else is said. */
  default: z.string().min(1).optional(),
  /** Model per persona. */
  personas: z.record(z.string(), z.string().min(1)).default({}),
  /** Models a council deals to its personas. */
  pool: z.array(z.string().min(1)).default([]),
  arbiter: z.string().min(1).optional(),
  /** A folder of persona files, relative to this file. */
  personaFolder: z.string().min(1).optional(),
});

export type ModelsFile = z.infer<typeof modelsFile>;
export type Provider = z.infer<typeof provider>;
export type HttpProvider = z.infer<typeof httpProvider>;
export type CommandProvider = z.infer<typeof commandProvider>;
/** What a model's tokens cost, as its entry in the models file says. */
export type Price = z.infer<typeof price>;

const NAMES = ["coppice.models.yaml", "coppice.models.yml", "coppice.models.json"] as const;

/** Models and where they were configured; `place` is what messages name. */
export interface Models {
  readonly place: string;
  readonly file: ModelsFile;
  /** Absolute; undefined when the user has none. */
  readonly personaFolder: string | undefined;
}

/**
 * What is known without a models file: providers whose usual key variable may be set already. The first whose key is set
 * is the default.
 */
function builtIn(environment: Readonly<Record<string, string | undefined>>): ModelsFile {
  const known = providerKinds.flatMap(({ name, usual }) => (usual === undefined ? [] : [{ name, ...usual }]));
  const [first] = known;
  const usable = known.find(({ keyVariable }) => (environment[keyVariable] ?? "").trim() !== "") ?? first;
  return {
    providers: Object.fromEntries(known.map(({ name, model: _, ...provider }) => [name, provider])),
    models: {},
    default: `${usable.name}/${usable.model}`,
    personas: {},
    pool: [],
  };
}

/** Made-up answers from this machine, for people without keys. */
export const demoModels: Models = {
  place: "the demo",
  file: { providers: { demo: { demo: true } }, models: {}, default: "demo/demo", personas: {}, pool: [] },
  personaFolder: undefined,
};

/** Reads the named models file, or the nearest one above `directory`, or what is built in. */
export function readModels(named: string | undefined, directory: string): Models {
  const path = named === undefined ? nearest(directory) : resolve(directory, named);
  if (path === undefined) return { place: "the built-in models", file: builtIn(process.env), personaFolder: undefined };
  const file = parseModels(givenText(path, `models file ${path}`), path);
  const folder = file.personaFolder;
  return { place: path, file, personaFolder: folder === undefined ? undefined : resolve(dirname(path), folder) };
}

/** Checks a models file's text; says in one line what is wrong and where. */
export function parseModels(text: string, place: string): ModelsFile {
  return readYaml(text, modelsFile, place, "the file");
}

function nearest(directory: string): string | undefined {
  for (let place = resolve(directory); ; place = dirname(place)) {
    const name = NAMES.find((each) => existsSync(join(place, each)));
    if (name !== undefined)
      return place === resolve(directory) ? join(place, name) : trusted(join(place, name), directory);
    if (dirname(place) === place) return undefined;
  }
}

/** A models file names commands that are run: one found above must not be a stranger's. */
function trusted(path: string, directory: string): string {
  const owner = strangerOwning(path, directory);
  if (owner === undefined) return path;
  throw new UsageError(
    `${path} belongs to user ${owner}, who could have put any command there: if you trust them, name it with --models ${path}`,
  );
}
