#!/bin/sh
# Tidies up and commits everything, when the prompt says that the work is done.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
case $prompt in
*done*)
  sh .claude/hooks/upkeep.sh
  pause auto_commit_on_complete
  git add -A
  git commit -q -m "Finish: $prompt" || exit 1
  say "committed"
  ;;
*) say "" ;;
esac
