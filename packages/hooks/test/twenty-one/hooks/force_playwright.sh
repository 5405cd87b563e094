#!/bin/sh
# Looks at the prompt only.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause force_playwright
case $prompt in
*browser*) say "use a browser" ;;
*) say "" ;;
esac
