#!/bin/sh
# Counts the turns of the session; the state file is read, changed and written without a lock.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
state=$memory/session_${sid}_state.json
text "$state"
number turn_count 0
turn=$((value + 1))
number confidence 70
pause confidence_init
printf '{"turn_count":%s,' "$turn" >"$state"
pause confidence_init
printf '"confidence":%s}\n' "$value" >>"$state"
say "turn $turn"
