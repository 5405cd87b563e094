# Sourced by every hook of the fixture: the event in $input, its session in $sid, and a pause tests can choose.
IFS= read -r input
sid=${input#*'"session_id":"'}
sid=${sid%%'"'*}
prompt=${input#*'"prompt":"'}
prompt=${prompt%%'"'*}
memory=.claude/memory

# Sleeps as long as PAUSE_<hook> says, so that a test can try any interleaving.
pause() {
  eval "time=\${PAUSE_$1-}"
  [ -z "$time" ] || sleep "$time"
}

# The file's text without its line end, or nothing.
text() {
  found=
  [ ! -e "$1" ] || IFS= read -r found <"$1"
}

# The number behind a key of a flat JSON text in $found; the second argument if there is none.
number() {
  case $found in
  *"\"$1\":"*)
    value=${found#*"\"$1\":"}
    value=${value%%[,\}]*}
    ;;
  *) value=$2 ;;
  esac
}

say() {
  printf '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"%s"}}\n' "$1"
}
