import type { TreeId } from "../contract.ts";
import { type ParsedKey, parseKey } from "../search/task-key.ts";
import type { TreeSearch } from "../search/tree-search.ts";

/** What people call a task: the idea, the node. */
export function taskName(task: ParsedKey, { evaluations }: Pick<TreeSearch, "evaluations">): string {
  switch (task.kind) {
    case "root":
      return "the root";
    case "ideas":
      return `the ideas of node ${task.nodeId}`;
    case "evaluation":
      return ideaOf(task.evalId, task.parentNodeId);
    case "repeat":
      return `repeat ${task.repeat} of ${task.evalId === null ? `node ${task.parentNodeId}` : ideaOf(task.evalId, task.parentNodeId)}`;
    case "promotion":
      return `the promotion of evaluation ${task.evalId} to node ${task.nodeId}`;
    case "prune":
      return `removing the candidates of depth ${task.depth}`;
    default:
      return task satisfies never;
  }

  function ideaOf(evalId: TreeId, node: TreeId): string {
    return `${evaluations.get(evalId)?.task.idea.name ?? "an idea"} (evaluation ${evalId} on node ${node})`;
  }
}

/** What a task is called where it is shown while it runs, by the name of the idea it is about. */
export function workName(task: ParsedKey, idea = "an idea"): string {
  switch (task.kind) {
    case "root":
      return "the code as it is";
    case "ideas":
      return `ideas for node ${task.nodeId}`;
    case "evaluation":
      return idea;
    case "repeat":
      return `${task.evalId === null ? `node ${task.parentNodeId}` : idea}, repeat ${task.repeat}`;
    case "promotion":
      return `node ${task.nodeId} from evaluation ${task.evalId}`;
    case "prune":
      return "removing what was not promoted";
    default:
      return task satisfies never;
  }
}

/** What the engine says of a task (`task 7 (key "eval/0/0000/0004") failed`), with the tree's name for it. */
export function withTaskName(message: string, search: Pick<TreeSearch, "evaluations">): string {
  return message.replace(/\btask \d+ \(key "([^"]+)"\)/, (_, key) => taskName(parseKey(key), search));
}
