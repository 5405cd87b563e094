export {
  applyChanges,
  describeChanges,
  type InstallPlan,
  InstallProblem,
  type InstallScope,
  planInstall,
  planUninstall,
} from "./install/install.ts";
export { describePlan } from "./plan/describe-plan.ts";
export { type PlannedEvent, planEvent } from "./plan/plan-event.ts";
export { describeProblem } from "./settings/describe-problem.ts";
export { subjectField } from "./settings/matcher.ts";
export { configuredEvents } from "./settings/read-settings.ts";
export { placesOf } from "./settings/scopes.ts";
