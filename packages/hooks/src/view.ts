// What a page shows of a project's hooks: data, small, and nothing about how it is drawn.
export {
  type EventCourse,
  type HooksChoice,
  type HooksView,
  readHooksView,
  type StagedHooks,
} from "./timing/hooks-view.ts";
