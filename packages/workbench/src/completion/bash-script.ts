import { caseTables, quoted } from "./case-tables.ts";
import { type CompletionRow, expectedText, type Word } from "./completion-row.ts";

/** Completion for bash, also for the old one of macOS. */
export function bashScript(table: readonly CompletionRow[]): string {
  return `# bash completion of coppice, made by "coppice completion bash"

${caseTables(table, settings)}
__coppice_add() {
  local found
  while IFS= read -r found; do COMPREPLY+=("\${found#"$1"}"); done
}

_coppice() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' option='' word i commands options takes follows value runs
  COMPREPLY=()
  __coppice_at ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$word" in
      =) ;; # bash splits --option=value here
      -*) option='' && [[ " $takes " == *" $word "* ]] && option=$word ;;
      *)
        if [[ -n $option ]]; then
          option=''
        elif [[ " $commands " == *" $word "* ]]; then
          path="\${path:+$path }$word"
          __coppice_at "$path"
        else
          commands='' # an argument: no command follows
        fi
        ;;
    esac
  done
  [[ $cur == = ]] && cur=''
  if [[ -n $option ]]; then
    __coppice_value "$path $option"
  elif [[ $cur == -* ]]; then
    value=$options
  else
    value=\${commands:-$follows}
  fi
  case "$value" in
    @files) compopt -o filenames 2> /dev/null; __coppice_add '' < <(compgen -f -- "$cur") ;;
    @folders) compopt -o filenames 2> /dev/null; __coppice_add '' < <(compgen -d -- "$cur") ;;
    @runs) runs=\${COPPICE_RUN_DIR:-.coppice/runs}/; __coppice_add "$runs" < <(compgen -d -- "$runs$cur") ;;
    *) __coppice_add '' < <(compgen -W "$value" -- "$cur") ;;
  esac
}

complete -F _coppice coppice
`;
}

function settings({ commands, options, values, follows }: CompletionRow): string[] {
  return [
    `commands=${quoted(words(commands))}`,
    `options=${quoted(words(options))}`,
    `takes=${quoted(words(values))}`,
    `follows=${quoted(expectedText(follows))}`,
  ];
}

function words(list: readonly Word[]): string {
  return list.map(({ word }) => word).join(" ");
}
