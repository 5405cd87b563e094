#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause intent_classifier
case $prompt in
*fix*) say "intent: fix" ;;
*) say "" ;;
esac
