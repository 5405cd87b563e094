#!/bin/sh
# Reads a state file of the same name in the home directory: another file.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause prerequisite_checker
text "$HOME/.claude/memory/session_${sid}_state.json"
number turn_count 0
say "home turns: $value"
