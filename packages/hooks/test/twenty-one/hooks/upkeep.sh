#!/bin/sh
# Rewrites the indexes, clears scratch and keeps a log.
notes=0
for note in scratch/*.md; do
  [ ! -e "$note" ] || notes=$((notes + 1))
done
printf '{"notes":%s}\n' "$notes" >.claude/memory/scratch_index.json
printf '{"tools":["spark","confidence"]}\n' >.claude/memory/tool_index.json
rm -f scratch/*.tmp
echo "upkeep: $notes notes" >>.claude/memory/upkeep_log.md
