#!/bin/sh
# Picks a remark by the length of the prompt; reads the stored ones each time.
IFS= read -r synapses <.claude/memory/synapses.json
IFS= read -r lesson <.claude/memory/lessons.md
if [ $((${#1} % 2)) -eq 0 ]; then echo "$lesson"; else echo "synapses: ${#synapses}"; fi
