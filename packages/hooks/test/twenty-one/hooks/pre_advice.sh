#!/bin/sh
# Reads one key of the shared confidence file.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause pre_advice
text $memory/confidence_state.json
number confidence 50
say "confidence $value"
