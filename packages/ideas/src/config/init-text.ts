/** A configuration to start from; every line that may be left out says what holds without it. */
export const initText = `# An idea tree: apply ideas to a repository, measure each, promote the best. Run it with: coppice tree run
# Paths are relative to this file. Commit this file (or keep it elsewhere): a run needs a clean repository.

repository: .

# Results of the code as it is now. Without this line the sweep measures them.
# baseline: baseline.csv

ideas:
  # Markdown files, one idea each. {node} and {depth} may be part of the path: ideas/{depth}
  folder: ideas
  # Or a command that writes {count} files to {ideas}, given what is known in {context} (JSON):
  # command: ["./propose-ideas", "--count", "{count}", "--into", "{ideas}", "--context", "{context}"]
  # It may read what was said before on its branch in {conversationIn} (JSON) or {conversationText} (markdown), and
  # write what is said now to {conversationOut}. See "The generator's memory" in docs/tree.md.

# Git-ignored files and folders of this repository that every worktree needs, as they are here:
# link: [.venv, data]
# What steps.setup makes and ideas do not change: made once per node, and linked into every candidate's worktree.
# share: [node_modules]

# Each step is a child process in a worktree of its own. A list is run as it is; a text is run by the shell, and
# placeholders in it are quoted. Every placeholder is also an environment variable: {evalId} is COPPICE_TREE_EVAL_ID.
# Known everywhere: {worktree} {node} {depth} {commit} {repository} {output} {temp} {limit} {usage}
# and, about the idea: {idea} {ideaName} {baseline} {evalId}.
steps:
  # Makes a new worktree fit for the steps below: it holds what git tracks and nothing else. Leave it out if that will do.
  # setup: npm ci
  # Changes the code. Also knows {round} and {issues}, the file with the reviewer's issues of the round before.
  implement: ["./implement", "{idea}"]
  # An agent's output is read by paths: reply, money, tokens, session, error. See "Agents" in docs/tree.md.
  # implement:
  #   command: cat {idea} {issues} | claude -p --output-format json --permission-mode acceptEdits
  #   reply: .result
  #   money: .total_cost_usd
  # Prints APPROVE or REJECT on its first line, then issues. Also knows {diff}. Leave it out for no review.
  # review: ["./review", "{diff}"]
  # Must exit with 0. Leave it out for no tests.
  # test: npm test
  # Measures: writes a CSV to {results}, or prints one JSON object (results.format: json).
  sweep:
    command: ["./sweep", "{results}"]
    timeout_seconds: 600

# review:
#   max_rounds: 0                  # rounds after the first
#   proceed_on_max_rounds: false   # go on with what is still rejected

results:
  format: csv
  id_column: config_id
  # error_column: error            # a row with something here has failed

score:
  primary: speed
  metrics:
    - { column: speed, weight: 1, better: higher }
  # primary_tolerance: 0.02        # where others gain, the primary metric may be worse by this share; else by nothing
  # risk: { column: max_drawdown, worse_by: 0.1 }

# The same names as the flags of "coppice tree run", which win over these.
search:
  ideas_per_node: 7
  beam_width: 1
  max_depth: 3
  max_parallel_evals: 1
  # max_parallel_per_node: 2
  # Metrics with noise: measure everything this often, candidates and what they are compared with in turns, and promote
  # only what is surely better; what stays unclear is measured on, up to max_repeats (four times as often).
  # auto measures the root twice: once is enough for all if it comes out the same, otherwise 5 it is.
  # repeats: auto
  # max_repeats: 20
  # least_gain: 0.01               # promote nothing that gains less than this share of its parent
  # eval_retries: 0
  # eval_timeout_seconds: 3600
  # strict_fail_depth: false
  # sweep_config_limit: 20
  # max_total_idea_evals: 100
  # max_wall_seconds: 36000
  # max_money: 25
  # max_tokens: 5000000
  # lock_stale_seconds: 30         # how long a run on another machine keeps its lock without a heartbeat
  # promote_on_stop: true          # after a budget or a strict stop, report the best so far as provisional nodes
  # node_plus_ancestors, accepted (only ideas of the branch itself), global or none:
  # dedupe_scope: node_plus_ancestors
  # What an idea generator remembers: auto, native (its provider's session) or replay (turns given to it again):
  # idea_conversation_mode: auto
  # idea_history_window_turns: 12  # how many of its last turns it is shown; -1 for all, 0 for none
  # idea_history_max_chars: 20000  # how many characters of them, summary included; -1 for no limit, 0 for none
`;
