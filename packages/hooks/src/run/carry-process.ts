import { type CommandLine, type LiveGroups, readCommandLine, runChild } from "@coppice/engine/child-process";
import { agentIn } from "../agent/known-agents.ts";
import type { Hook } from "../settings/hook.ts";
import type { Carrier } from "./run-event.ts";

/** Where and with what environment hooks run: as the agent would, and no more. */
export interface HookSurroundings {
  readonly cwd: string;
  readonly projectDir: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Carries hooks out as processes. */
export function processCarrier(surroundings: HookSurroundings, groups: LiveGroups): Carrier {
  // One copy of the environment for all hooks but those of plugins.
  const shared = sharedEnvironment(surroundings);
  return (hook, input, signal) => {
    const env = hook.pluginRoot === undefined ? shared : hookEnvironment(hook, surroundings);
    return runChild({
      command: hookCommand(hook, env),
      cwd: surroundings.cwd,
      env,
      input,
      timeoutMs: hook.timeoutMs,
      signal,
      groups,
    });
  };
}

/** The caller's environment with the variables the agent itself sets for hooks. */
export function hookEnvironment(hook: Hook, surroundings: HookSurroundings): NodeJS.ProcessEnv {
  const shared = sharedEnvironment(surroundings);
  return hook.pluginRoot === undefined ? shared : { ...shared, CLAUDE_PLUGIN_ROOT: hook.pluginRoot };
}

function sharedEnvironment({ env, projectDir }: HookSurroundings): NodeJS.ProcessEnv {
  return { ...env, [agentIn(env).projectVariable]: projectDir };
}

/** A hook's program: arguments given separately never meet a shell. */
export function hookCommand(hook: Hook, env: NodeJS.ProcessEnv): CommandLine {
  if (hook.args !== undefined) return { kind: "program", file: hook.command, args: hook.args };
  return readCommandLine(hook.command, env);
}
