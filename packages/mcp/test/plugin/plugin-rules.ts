import { z } from "zod";

// What is published about plugins of Claude Code (its pages "Plugins reference", "Plugin marketplaces", "Hooks reference" and
// "Agent Skills"), in our own words. The agent's own validator is stricter than it has to be, and so is this: a field it
// does not know is a mistake.

/** Lower case, digits and hyphens: it becomes a part of command names (`/coppice:council`). */
const kebab = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  .max(64);
const semver = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
/** Below the plugin, and said so: an installed plugin is copied, and what is above it is not there any more. */
const inside = z
  .string()
  .startsWith("./")
  .refine((path) => !path.split("/").includes(".."));
const paths = z.union([inside, z.array(inside)]);
const person = z.strictObject({ name: z.string().min(1), email: z.email().optional(), url: z.url().optional() });

const about = {
  version: semver.optional(),
  description: z.string().min(1).optional(),
  author: person.optional(),
  homepage: z.url().optional(),
  repository: z.url().optional(),
  license: z.string().optional(),
  keywords: z.array(z.string()).optional(),
};

/** `.mcp.json`, or the same inside a manifest: a program to start, or an address. */
export const mcpServersRule = z.record(
  z.string(),
  z.union([
    z.strictObject({
      type: z.literal("stdio").optional(),
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      cwd: z.string().optional(),
    }),
    z.strictObject({
      type: z.enum(["http", "sse"]),
      url: z.string().min(1),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ]),
);

const commandHook = z.strictObject({
  type: z.literal("command"),
  command: z.string().min(1),
  timeout: z.number().positive().optional(),
});

/** `hooks/hooks.json`: events, each a list of groups with a matcher. */
export const hooksRule = z.strictObject({
  description: z.string().optional(),
  hooks: z.partialRecord(
    z.enum(
      "PreToolUse PostToolUse PostToolUseFailure PermissionRequest UserPromptSubmit Notification Stop SubagentStart SubagentStop SessionStart SessionEnd PreCompact".split(
        " ",
      ),
    ),
    z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(commandHook).min(1) })),
  ),
});

const parts = {
  commands: paths.optional(),
  agents: paths.optional(),
  skills: paths.optional(),
  hooks: z.union([inside, hooksRule]).optional(),
  mcpServers: z.union([inside, mcpServersRule]).optional(),
};

/** `.claude-plugin/plugin.json`: only the name is required. */
export const manifestRule = z.strictObject({ name: kebab, ...about, ...parts });

/** `.claude-plugin/marketplace.json`: who offers which plugins, and where each is; some names are kept for the vendor. */
export const marketplaceRule = z.strictObject({
  name: kebab.refine((name) => !/anthropic|claude|^agent-skills$/.test(name), "this name is reserved"),
  owner: person,
  metadata: z
    .strictObject({
      description: z.string().optional(),
      version: semver.optional(),
      pluginRoot: inside.optional(),
    })
    .optional(),
  plugins: z
    .array(
      z.strictObject({
        name: kebab,
        source: inside,
        ...about,
        ...parts,
        category: z.string().optional(),
        tags: z.array(z.string()).optional(),
        strict: z.boolean().optional(),
      }),
    )
    .min(1),
});

/** The head of a `SKILL.md`: what it is for is all that an agent sees before it decides to read on. */
export const skillRule = z.strictObject({
  name: kebab.refine((name) => !/anthropic|claude/.test(name), "this name is reserved"),
  description: z
    .string()
    .min(1)
    .max(1024)
    .regex(/^[^<>]*$/),
  "allowed-tools": z.string().optional(),
});

/** The head of a command. */
export const commandRule = z.strictObject({
  description: z.string().min(1),
  "argument-hint": z.string().optional(),
  "allowed-tools": z.string().optional(),
  model: z.string().optional(),
});
