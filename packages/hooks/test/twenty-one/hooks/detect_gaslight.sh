#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause detect_gaslight
case $prompt in
*again*) say "said before" ;;
*) say "" ;;
esac
