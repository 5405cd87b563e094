// Files that belong to a user: read as they are, changed only where something changes, and the difference shown.
export { editedText, writtenLike } from "./edit-json.ts";
export {
  applyChanges,
  describeChanges,
  type FileChange,
  readIfThere,
} from "./file-changes.ts";
export { JsonProblem, type JsonText, readJsonText } from "./lenient-json.ts";
export { lineDiff } from "./line-diff.ts";
