import { accessSync, constants, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { commandRule, hooksRule, manifestRule, marketplaceRule, mcpServersRule, skillRule } from "./plugin-rules.ts";

/** A plugin as the agent has it after installing: everything it found, with places filled in. */
export interface LoadedPlugin {
  readonly name: string;
  readonly root: string;
  readonly version: string | undefined;
  /** As they are typed: `/coppice:council`. */
  readonly commands: readonly string[];
  readonly skills: readonly string[];
  readonly hooks: readonly { readonly event: string; readonly matcher: string; readonly command: string }[];
  readonly servers: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>>;
}

/**
 * Does what an agent does with `/plugin marketplace add` and `/plugin install`: reads the marketplace, copies the plugin
 * alone into a cache, and finds its parts in the usual places of the copy.
 */
export function installPlugin(marketplace: string, name: string, cache: string): LoadedPlugin {
  const offers = marketplaceRule.parse(json(join(marketplace, ".claude-plugin", "marketplace.json")));
  const offer = offers.plugins.find((plugin) => plugin.name === name);
  if (offer === undefined) throw new Error(`${offers.name} has no plugin ${name}`);
  const root = join(cache, offers.name, name, offer.version ?? "unknown");
  cpSync(join(marketplace, offer.source), root, { recursive: true });
  const manifest = manifestRule.parse(json(join(root, ".claude-plugin", "plugin.json")));
  if (manifest.name !== name) throw new Error(`${name} calls itself ${manifest.name}`);
  // Only the manifest belongs there; parts in it would not be found.
  const stray = readdirSync(join(root, ".claude-plugin")).filter((file) => file !== "plugin.json");
  if (stray.length > 0) throw new Error(`${stray.join(", ")} must be at the plugin's root`);
  const filled = (text: string): string => text.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => root);
  const { hooks } = hooksRule.parse(json(join(root, "hooks", "hooks.json")));
  const { mcpServers } = json(join(root, ".mcp.json")) as { readonly mcpServers: unknown };
  return {
    name,
    root,
    version: manifest.version,
    commands: files(join(root, "commands"), ".md").map((file) => {
      commandRule.parse(head(file));
      return `/${name}:${basename(file, ".md")}`;
    }),
    skills: readdirSync(join(root, "skills")).map((folder) => {
      const skill = skillRule.parse(head(join(root, "skills", folder, "SKILL.md")));
      if (skill.name !== folder) throw new Error(`the skill in ${folder} calls itself ${skill.name}`);
      return `${name}:${skill.name}`;
    }),
    hooks: Object.entries(hooks).flatMap(([event, groups = []]) =>
      groups.flatMap(({ matcher = "", hooks: list }) =>
        list.map(({ command }) => ({ event, matcher, command: filled(command) })),
      ),
    ),
    servers: Object.fromEntries(
      Object.entries(mcpServersRule.parse(mcpServers)).map(([server, given]) => {
        if (!("command" in given)) throw new Error(`${server} is an address`);
        const command = filled(given.command);
        accessSync(command, constants.X_OK);
        return [server, { command, args: (given.args ?? []).map(filled) }];
      }),
    ),
  };
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8")) as unknown;
}

function files(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}

/** The facts at the head of a Markdown file, between two lines of three hyphens. */
function head(file: string): Record<string, string> {
  const [, facts] = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(file, "utf8")) ?? [];
  if (facts === undefined) throw new Error(`${file} has no head`);
  return Object.fromEntries(
    facts.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
}
