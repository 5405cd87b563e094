#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause ecosystem_mapper
case $prompt in
*deploy*) say "see the pipeline" ;;
*) say "" ;;
esac
