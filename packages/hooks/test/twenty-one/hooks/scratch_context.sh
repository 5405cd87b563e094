#!/bin/sh
# Points at notes; the index is rewritten by upkeep.
. "$CLAUDE_PROJECT_DIR/.claude/hooks/library.sh"
pause scratch_context
text $memory/scratch_index.json
number notes 0
say "notes: $value"
