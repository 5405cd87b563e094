#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause intervention
case $prompt in
*rewrite*) say "is a rewrite needed?" ;;
*) say "" ;;
esac
