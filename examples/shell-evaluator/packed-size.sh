#!/bin/sh
# How many bytes a text takes when it is packed piece by piece. Reads {"level":6,"lines":1000} and prints a number.
set -eu
candidate=$(cat)
level=$(printf '%s' "$candidate" | sed 's/.*"level":\([0-9]*\).*/\1/')
lines=$(printf '%s' "$candidate" | sed 's/.*"lines":\([0-9]*\).*/\1/')

total=0
first=1
while [ "$first" -le 4000 ]; do
  bytes=$(seq "$first" $((first + lines - 1)) | gzip -n "-$level" | wc -c)
  total=$((total + bytes))
  first=$((first + lines))
done
echo "$total"
