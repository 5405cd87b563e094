#!/bin/sh
# Always says the same.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause meta_cognition
say "think first"
