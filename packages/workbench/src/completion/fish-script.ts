import { type CompletionRow, expectedText, valueGroups, type Word } from "./completion-row.ts";

/** Completion for fish, with what each word means. */
export function fishScript(table: readonly CompletionRow[]): string {
  return `# fish completion of coppice, made by "coppice completion fish"

# What can follow a command.
function __coppice_at --no-scope-shadowing
  switch "$argv[1]"
${table.map(rowText).join("\n")}
  end
end

# What the value of an option can be.
function __coppice_value
  switch "$argv[1]"
${valueGroups(table)
  .map(([expected, places]) => `    case ${places.map(quoted).join(" ")}\n      echo ${quoted(expectedText(expected))}`)
  .join("\n")}
  end
end

function __coppice_complete
  set -l path ''
  set -l option ''
  set -l value ''
  set -l commands
  set -l options
  set -l takes
  set -l follows
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  __coppice_at ''
  for word in $typed[2..-1]
    if string match -q -- '-*' $word
      set option ''
      contains -- $word $takes; and set option $word
    else if test -n "$option"
      set option ''
    else if string match -q -- $word\\t'*' $commands
      set path (string trim -- "$path $word")
      __coppice_at "$path"
    else
      set commands # an argument: no command follows
    end
  end
  set -l before ''
  if test -z "$option"; and string match -q -- '--*=*' $current
    set option (string replace -r '=.*' '' -- $current)
    set before $option=
    set current (string replace -r '^[^=]*=' '' -- $current)
  end
  if test -n "$option"
    set value (__coppice_value "$path $option")
  else if string match -q -- '-*' $current
    printf '%s\\n' $options
    return
  else if test (count $commands) -gt 0
    printf '%s\\n' $commands
    return
  else
    set value $follows
  end
  switch "$value"
    case @files
      __fish_complete_path $current | string replace -r '^' -- "$before"
    case @folders
      __fish_complete_directories $current | string replace -r '^' -- "$before"
    case @runs
      set -l runs .coppice/runs
      set -q COPPICE_RUN_DIR; and set runs $COPPICE_RUN_DIR
      for run in $runs/*/
        echo $before(basename $run)
      end
    case '*'
      for word in (string split -n ' ' -- "$value")
        echo $before$word
      end
  end
end

complete -c coppice -f -a '(__coppice_complete)'
`;
}

function rowText({ path, commands, options, values, follows }: CompletionRow): string {
  const described = (list: readonly Word[]) => list.map(({ word, meaning }) => quoted(`${word}\t${meaning}`)).join(" ");
  return `    case ${quoted(path)}
      set commands ${described(commands)}
      set options ${described(options)}
      set takes ${values.map(({ word }) => word).join(" ")}
      set follows ${quoted(expectedText(follows))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
