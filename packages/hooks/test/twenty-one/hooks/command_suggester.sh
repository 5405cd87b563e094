#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause command_suggester
case $prompt in
*test*) say "npm test" ;;
*) say "" ;;
esac
