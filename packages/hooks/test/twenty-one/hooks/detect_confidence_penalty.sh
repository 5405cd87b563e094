#!/bin/sh
# An opaque writer: what it changes, it changes through another program.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
sh .claude/hooks/confidence.sh loss 5 "$sid"
say "penalty"
