#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause detect_batch
case $prompt in
*all*) say "do them together" ;;
*) say "" ;;
esac
