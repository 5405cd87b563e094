export { checkEvent, checkTexts } from "./check/check-event.ts";
export { DaemonClient } from "./daemon/client.ts";
export { DaemonProblem, HooksDaemon } from "./daemon/daemon.ts";
export { listenHttp } from "./daemon/http.ts";
export { meetingPlace, trustedToken } from "./daemon/meeting-place.ts";
export type { ModuleContext, ModuleHook } from "./daemon/module-call.ts";
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
export { surroundingsOf } from "./run/answer-event.ts";
export { readEventInput } from "./run/event-input.ts";
export { describeProblem } from "./settings/describe-problem.ts";
export type { Problem } from "./settings/hook.ts";
export { subjectField } from "./settings/matcher.ts";
export { isOwnCommand } from "./settings/own-entry.ts";
export { configuredEvents } from "./settings/read-settings.ts";
export { placesOf } from "./settings/scopes.ts";
export { stateDirectory } from "./state/state-directory.ts";
export { readRecords } from "./timing/read-records.ts";
export { timingReport } from "./timing/report.ts";
export { reportHtml, timelineOf } from "./timing/report-html.ts";
export { reportText } from "./timing/report-text.ts";
export { proposeDeclarations, writeDeclarations } from "./trace/declare.ts";
export { addObservations } from "./trace/observations.ts";
export { sampleInput } from "./trace/sample-input.ts";
export { snapshotBlindness } from "./trace/snapshot.ts";
export { straceWorks } from "./trace/strace.ts";
export { traceEvent } from "./trace/trace-event.ts";
