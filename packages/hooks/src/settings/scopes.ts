import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFolder } from "@coppice/engine/files";
import { UsageError } from "@coppice/engine/usage-error";
import type { AgentFormat } from "../agent/agent-format.ts";
import { agentIn } from "../agent/known-agents.ts";
import { type Fields, fieldsOf, parseFields } from "../json-fields.ts";
import type { Scope } from "./hook.ts";

/** The directories settings are looked for in. */
export interface Places {
  readonly agent: AgentFormat;
  readonly projectDir: string;
  readonly home: string;
  /** The directory of administrator settings; absent files are normal. */
  readonly managedDir: string;
}

/** One file that may hold hooks. */
export interface SettingsFile {
  readonly agent: AgentFormat;
  readonly scope: Scope;
  readonly file: string;
  /** Written by `install`: the list our own entry stands for. */
  readonly store: boolean;
  readonly pluginRoot: string | undefined;
}

/** The places of a project as the agent itself would find them. */
export function placesOf(projectDir: string, env: NodeJS.ProcessEnv): Places {
  const agent = agentIn(env);
  return {
    agent,
    projectDir,
    home: env.HOME ?? projectDir,
    managedDir: env.COPPICE_MANAGED_DIR ?? agent.managed.directory(process.platform),
  };
}

/** The places of the project a command is about: the given directory, the agent's, or the current one. */
export function placesFor(given: string | undefined, env: NodeJS.ProcessEnv): Places {
  const dir = resolve(given ?? env[agentIn(env).projectVariable] ?? process.cwd());
  if (given === "" || !isFolder(dir))
    throw new UsageError(`--project ${given === "" ? '""' : dir}: there is no such directory`);
  return placesOf(dir, env);
}

/** Settings file and store of a scope that `install` may rewrite. */
export function scopeFiles(places: Places, scope: "user" | "project" | "local"): { settings: string; store: string } {
  const dir = join(scope === "user" ? places.home : places.projectDir, places.agent.folder);
  return scope === "local"
    ? { settings: join(dir, "settings.local.json"), store: join(dir, "coppice-hooks.local.json") }
    : { settings: join(dir, "settings.json"), store: join(dir, "coppice-hooks.json") };
}

/** The store that belongs to a settings file, if the scope can have one. */
export function storeOf(from: SettingsFile, places: Places): string | undefined {
  const { scope } = from;
  return scope === "plugin" || scope === "managed" ? undefined : scopeFiles(places, scope).store;
}

/** Where `install` keeps a settings file as it was. */
export function backupOf(settings: string): string {
  return `${settings}.before-coppice`;
}

/** All files that may hold hooks, in list order. A home that is also the project is read once, as the project. */
export function settingsFiles(places: Places): readonly SettingsFile[] {
  const scopes = places.agent.scopes.filter((scope) => scope !== "user" || places.home !== places.projectDir);
  const { agent } = places;
  const none = { agent, store: false, pluginRoot: undefined };
  return [
    ...scopes.flatMap((scope) => {
      const { settings, store } = scopeFiles(places, scope);
      return [
        { ...none, scope, file: settings },
        { ...none, scope, file: store, store: true },
      ];
    }),
    ...enabledPlugins(places).map((root) => ({
      agent,
      scope: "plugin" as const,
      file: join(root, "hooks", "hooks.json"),
      store: false,
      pluginRoot: root,
    })),
    { ...none, scope: "managed", file: join(places.managedDir, agent.managed.file) },
  ];
}

/** Root directories of the plugins that are installed and enabled, in the order of the plugin list. */
function enabledPlugins(places: Places): readonly string[] {
  const { folder, plugins } = places.agent;
  const list = plugins === undefined ? undefined : fieldsOf(quietly(join(places.home, folder, plugins))?.plugins);
  if (list === undefined) return [];
  const enabled: Record<string, unknown> = {};
  for (const scope of ["user", "project", "local"] as const) {
    Object.assign(enabled, fieldsOf(quietly(scopeFiles(places, scope).settings)?.enabledPlugins));
  }
  return Object.keys(list)
    .filter((name) => enabled[name] === true)
    .flatMap((name): unknown[] => (Array.isArray(list[name]) ? list[name] : [list[name]]))
    .map((entry) => fieldsOf(entry)?.installPath)
    .filter((path) => typeof path === "string");
}

/** A file that only says which plugins there are may be missing or broken; its hooks are then unknown to the agent too. */
function quietly(file: string): Fields | undefined {
  try {
    return existsSync(file) ? parseFields(readFileSync(file, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}
