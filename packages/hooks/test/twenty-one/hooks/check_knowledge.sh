#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause check_knowledge
case $prompt in
*latest*) say "look it up" ;;
*) say "" ;;
esac
