import { claudeCode } from "../agent/claude-code.ts";

/** Stands between the parts of an answer to the launcher; no JSON text holds it. */
export const UNIT_END = "\u001f";

const PROJECT = `$${claudeCode.projectVariable}`;

/** The file beside a bundled program in which {@link ASK_DAEMON} lies. */
export function askingFile(program: string): string | undefined {
  return program.endsWith(".cjs") ? program.replace(/cjs$/, "sh") : undefined;
}

/**
 * Has a running daemon answer an event whose hooks are all modules, with a shell and curl, because starting Node takes
 * longer than the rest. Whatever is missing (daemon, curl, `/proc`, the daemon's word that it can), Node does it. Once
 * the event is read, Node is handed it on: `unasked` if no hook has begun, `lost` if the daemon ended after that.
 */
export const ASK_DAEMON = `#!/bin/sh
# Beside Coppice's program for hooks; used as: coppice-hooks.sh <node> <program> hooks run <Event> < input.json
case $XDG_RUNTIME_DIR in
'') for at in "\${TMPDIR:-/tmp}"/coppice-[0-9]*; do if [ -O "$at" ]; then break; fi; done ;;
*) at=$XDG_RUNTIME_DIR/coppice ;;
esac
if { [ $# = 5 ] && [ "${PROJECT}" ] && [ -f "$at/whole${PROJECT}/$5" ] && [ -O "$at" ] && [ -O "$at/hooks.curl" ] &&
  [ ! -t 0 ] && [ -r /proc/$$/environ ] && command -v curl >/dev/null; } 2>/dev/null; then
  input=$(cat; echo .)
  said=
  ended=1
  if [ "\${#input}" -le 1000000 ]; then
    said=$(curl -q -K "$at/hooks.curl" --data-binary @/proc/$$/environ --data-binary @- "http://localhost/$5" 2>/dev/null <<EVENT
$input
EVENT
    )
    ended=$?
  fi
  if [ $ended = 0 ]; then
    # Split by the shell itself: cutting a long text with patterns takes some shells seconds.
    set -f
    IFS='${UNIT_END}'
    set -- $said
    trap '' PIPE
    printf %s "\${5%.}" >&2
    printf '%s\\n' "$4" || exit "$3"
    exit "$2"
  fi
  how=unasked
  if [ "$said" ]; then how=lost; fi
  exec "$@" --handed-on $how <<EVENT
$input
EVENT
fi
exec "$@"
`;
