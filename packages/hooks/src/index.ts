export { checkEvent, checkTexts } from "./check/check-event.ts";
export { DaemonClient } from "./daemon/client.ts";
export { DaemonProblem, HooksDaemon } from "./daemon/daemon.ts";
export { listenHttp } from "./daemon/http-events.ts";
export { meetingPlace, trustedToken } from "./daemon/meeting-place.ts";
export type { ModuleContext, ModuleHook } from "./daemon/protocol.ts";
export {
  applyChanges,
  changesToInstall,
  changesToUninstall,
  describeChanges,
  InstallProblem,
  type InstallScope,
  type SettingsChanges,
} from "./install/install-entries.ts";
export { surroundingsOf } from "./run/answer-event.ts";
export { readEventInput } from "./run/event-input.ts";
export type { Problem } from "./settings/hook.ts";
export { isOwnCommand } from "./settings/hook-entries.ts";
export { subjectField } from "./settings/matcher.ts";
export { configuredEvents } from "./settings/read-settings.ts";
export { placesOf } from "./settings/scopes.ts";
export { describeProblem } from "./settings/settings-problem.ts";
export { describeStaging } from "./staging/describe-staging.ts";
export { type StagedEvent, stageEvent } from "./staging/stage-event.ts";
export { stateDirectory } from "./state-directory.ts";
export { reportHtml, timelineOf } from "./timing/timing-page.ts";
export { readRecords } from "./timing/timing-records.ts";
export { timingReport } from "./timing/timing-report.ts";
export { reportText } from "./timing/timing-text.ts";
export { addObservations, proposeDeclarations, writeDeclarations } from "./trace/observations.ts";
export { snapshotBlindness } from "./trace/snapshot.ts";
export { straceWorks } from "./trace/strace.ts";
export { sampleInput, traceEvent } from "./trace/trace-event.ts";
