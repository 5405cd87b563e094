import { join } from "node:path";
import { BLOCK_CODE } from "../agent/agent-format.ts";
import { claudeCode } from "../agent/claude-code.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";

const LAUNCHER_FILE = '"$CLAUDE_PROJECT_DIR/.claude/coppice-hooks.sh"';

/**
 * How agents start Coppice from settings that a team shares: no machine's paths, and a word when it is missing. Shells
 * differ in how they end without the launcher (2, 127), so the entry itself says what that means.
 */
export function launcherCommand(event: string): string {
  const missing = `{ echo ".claude/coppice-hooks.sh is missing, so no hook ran" >&2; exit ${uncheckedCode(event)}; }`;
  return `test -f ${LAUNCHER_FILE} || ${missing}; sh ${LAUNCHER_FILE} hooks run ${event}`;
}

/** Whether an entry's command starts the launcher. */
export function startsLauncher(command: string): boolean {
  return command.includes(`sh ${LAUNCHER_FILE}`);
}

/** The exit code when nothing was checked: what hooks can hold back is held back. */
function uncheckedCode(event: string): number {
  return claudeCode.holdingBack.includes(event) ? BLOCK_CODE : 1;
}

/** The files of the launcher: itself, to be shared, and where Coppice is on this machine, which git ignores. */
export function launcherFiles({ projectDir }: Places): { readonly launcher: string; readonly program: string } {
  return {
    launcher: join(projectDir, ".claude", "coppice-hooks.sh"),
    program: join(stateDirectory(projectDir), "program"),
  };
}

/** What the launcher is told of this machine: the Node to start, and what with. */
export function programText(node: string, file: string): string {
  return `${node}\n${file}\n`;
}

/**
 * Starts what this machine's `install` noted, the project's dependency, or a Coppice in the path. Without any of them
 * nothing has been checked, so what hooks can hold back is held back; other events only hear of it.
 */
export const LAUNCHER = `#!/bin/sh
# Written by "coppice hooks install"; "coppice hooks uninstall" removes it. Share it with the settings that name it.
root=\${CLAUDE_PROJECT_DIR:-.}
# Whether a program is there that can be started: one for Node needs Node.
can() { [ -x "$1" ] && read -r line <"$1" && case $line in *node*) command -v node >/dev/null ;; esac; }
start() {
  case $2 in *.cjs) if [ -r "\${2%.cjs}.sh" ]; then . "\${2%.cjs}.sh"; fi ;; esac
  exec "$@"
}
if [ -r "$root/.coppice/hooks/program" ]; then
  { read -r node && read -r file; } <"$root/.coppice/hooks/program"
  if [ -x "$node" ] && [ -r "$file" ]; then start "$node" "$file" "$@"; fi
fi
file=$root/node_modules/coppice/dist/hooks/coppice-hooks.cjs
if [ -r "$file" ] && command -v node >/dev/null; then start node "$file" "$@"; fi
if can "$root/node_modules/.bin/coppice"; then exec "$root/node_modules/.bin/coppice" "$@"; fi
if can "$(command -v coppice)"; then exec coppice "$@"; fi
echo "This project's hooks run through Coppice, which is not installed here, so nothing was checked." >&2
if ! command -v node >/dev/null; then echo "It needs Node, which is not in the path ($PATH)." >&2; fi
echo "Install it with: npm install --save-dev coppice   (or without it: see .claude/settings.json.before-coppice)" >&2
case $3 in ${claudeCode.holdingBack.join(" | ")}) exit 2 ;; esac
exit 1
`;
