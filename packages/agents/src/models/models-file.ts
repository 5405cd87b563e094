import { z } from "zod";

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'must be letters, digits, ".", "_" or "-", without "/"');
const positive = z.number().positive();
const count = z.int().positive();

const limits = {
  /** Requests under way at once. */
  maxConcurrent: count.optional(),
  requestsPerMinute: positive.optional(),
};

const httpProvider = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/, error: "must be an http or https address such as https://example.org/v1" }),
  /** Environment variable that holds the key; a provider without one needs no key. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable, not the key itself")
    .optional(),
  /** Asks for the answer piece by piece, so that progress is visible. Default true. */
  stream: z.boolean().optional(),
  /** The provider says in its answers what they cost. */
  reportsCost: z.boolean().optional(),
  ...limits,
});

const commandProvider = z.strictObject({
  /** A program that answers a prompt: in place of `{prompt}` among its arguments, otherwise on standard input. */
  command: z.string().trim().min(1, "must name a program"),
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
export const modelsFile = z.strictObject({
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
export type Price = z.infer<typeof price>;
