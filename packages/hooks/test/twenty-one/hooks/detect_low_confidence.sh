#!/bin/sh
# Reads another key of the same file.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause detect_low_confidence
text $memory/confidence_state.json
number current_confidence 50
if [ "$value" -lt 60 ]; then say "low: $value"; else say ""; fi
