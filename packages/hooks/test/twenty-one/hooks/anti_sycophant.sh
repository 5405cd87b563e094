#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause anti_sycophant
case $prompt in
*right?*) say "check it" ;;
*) say "" ;;
esac
