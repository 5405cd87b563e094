#!/bin/sh
# confidence.sh loss <points> <session>: changes the shared and the session's confidence.
. .claude/hooks/library.sh </dev/null
points=$2
sid=$3
text $memory/confidence_state.json
number current_confidence 50
pause detect_confidence_penalty
printf '{"confidence":%s,"current_confidence":%s}\n' "$((value - points))" "$((value - points))" >$memory/confidence_state.json
state=$memory/session_${sid}_state.json
text "$state"
number turn_count 0
turn=$value
number confidence 70
pause detect_confidence_penalty
printf '{"turn_count":%s,"confidence":%s}\n' "$turn" "$((value - points))" >"$state"
