import { caseTables, quoted } from "./case-tables.ts";
import { type CompletionRow, expectedText, type Word } from "./completion-row.ts";

/** Completion for zsh, with what each word means. */
export function zshScript(table: readonly CompletionRow[]): string {
  return `#compdef coppice
# zsh completion of coppice, made by "coppice completion zsh"

${caseTables(table, settings)}
_coppice() {
  local at='' option='' word value follows i
  local -a commands options takes
  __coppice_at ''
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ $word == -* ]]; then
      option=''
      (( \${takes[(Ie)$word]} )) && option=$word
    elif [[ -n $option ]]; then
      option=''
    elif (( \${commands[(I)\${(b)word}:*]} )); then
      at="\${at:+$at }$word"
      __coppice_at "$at"
    else
      commands=() # an argument: no command follows
    fi
  done
  word=\${words[CURRENT]}
  if [[ -z $option && $word == --*=* ]]; then
    option=\${word%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    __coppice_value "$at $option"
  elif [[ $word == -* ]]; then
    _describe -o option options
    return
  elif (( \${#commands} )); then
    _describe command commands
    return
  else
    value=$follows
  fi
  case "$value" in
    @files) _files ;;
    @folders) _files -/ ;;
    @runs) compadd -- \${COPPICE_RUN_DIR:-.coppice/runs}/*(/N:t) ;;
    *) compadd -- \${=value} ;;
  esac
}

# Loaded by compinit it is the function itself; sourced, it has to be made known.
if [[ \${funcstack[1]} == _coppice ]]; then _coppice "$@"; else compdef _coppice coppice; fi
`;
}

function settings({ commands, options, values, follows }: CompletionRow): string[] {
  const described = (list: readonly Word[]) =>
    list.map(({ word, meaning }) => quoted(`${word.replaceAll(":", "\\:")}:${meaning}`)).join(" ");
  return [
    `commands=(${described(commands)})`,
    `options=(${described(options)})`,
    `takes=(${values.map(({ word }) => word).join(" ")})`,
    `follows=${quoted(expectedText(follows))}`,
  ];
}
