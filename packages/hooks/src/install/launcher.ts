import { join } from "node:path";
import { shellWord } from "@coppice/engine/child-process";
import { BLOCK_CODE } from "../agent/agent-format.ts";
import { claudeCode } from "../agent/claude-code.ts";
import type { Places } from "../settings/scopes.ts";
import { stateDirectory } from "../state-directory.ts";

const LAUNCHER_FILE = ".claude/coppice-hooks.sh";

/**
 * How agents start Coppice from settings that more than one project or machine reads: no machine's paths, one text for
 * all scopes, and a word when the launcher is missing. The user's own launcher comes first: a project's file must not be
 * what settings of the user start. Shells differ in how they end without the launcher (2, 127), so the entry itself says
 * what that means.
 */
export function launcherCommand(event: string): string {
  const file = `"$at/${LAUNCHER_FILE}"`;
  const missing = `{ echo "${LAUNCHER_FILE} is missing, so no hook ran" >&2; exit ${uncheckedCode(event)}; }`;
  const find = `at=$HOME; test -s ${file} || at=$CLAUDE_PROJECT_DIR; test -s ${file} || ${missing}`;
  return `${find}; sh ${file} hooks run ${event}`;
}

/** Whether an entry's command starts the launcher. */
export function startsLauncher(command: string): boolean {
  return command.includes(`/${LAUNCHER_FILE}" hooks run`);
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

/** The launcher of the user's own settings, for all projects. */
export function userLauncherFile({ home }: Places): string {
  return join(home, LAUNCHER_FILE);
}

/** What the launcher is told of this machine: the Node to start, and what with. */
export function programText(node: string, file: string): string {
  return `${node}\n${file}\n`;
}

/** Starts Coppice's program; where a shell and the daemon can answer the event, with those. */
const START = `start() {
  case $2 in *.cjs) if [ -r "\${2%.cjs}.sh" ]; then . "\${2%.cjs}.sh"; fi ;; esac
  exec "$@"
}`;
const UNCHECKED = `case $3 in ${claudeCode.holdingBack.join(" | ")}) exit 2 ;; esac
exit 1
`;

/** Starts this installation, for settings that only this user reads. */
export function userLauncher({ node, file }: { readonly node: string; readonly file: string }): string {
  return `#!/bin/sh
# Written by "coppice hooks install" for all projects of this user; "coppice hooks uninstall --scope user" removes it.
node=${shellWord(node)}
file=${shellWord(file)}
${START}
if [ -x "$node" ] && [ -r "$file" ]; then start "$node" "$file" "$@"; fi
echo "Coppice, or its Node, is not where it was ($file), so nothing was checked; run: coppice hooks install --scope user" >&2
${UNCHECKED}`;
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
${START}
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
${UNCHECKED}`;
