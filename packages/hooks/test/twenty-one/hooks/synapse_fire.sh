#!/bin/sh
# Asks another program for a remark on the prompt.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause synapse_fire
say "$(sh .claude/hooks/spark.sh "$prompt")"
