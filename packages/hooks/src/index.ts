// Hooks of coding agents for those who stage, check, trace, install and serve them.

export { checkProject } from "./check/check-project.ts";
export { HooksDaemon } from "./daemon/daemon.ts";
export { listenHttp } from "./daemon/http-events.ts";
export { connectToDaemon, meetingPlace } from "./daemon/meeting-place.ts";
export type { ModuleContext, ModuleHook } from "./daemon/protocol.ts";
export { ASK_DAEMON } from "./install/ask-daemon.ts";
export { changesToInstall, changesToUninstall, readScopes } from "./install/install-entries.ts";
export { traceUntraced, untracedHooks, untracedRemarks } from "./install/untraced-hooks.ts";
export { placesFor, settingsFiles } from "./settings/scopes.ts";
export { stageProject, stagingData, stagingText } from "./staging/describe-staging.ts";
export { projectReport } from "./timing/timing-report.ts";
export { reportText } from "./timing/timing-tables.ts";
export { weeklyLine } from "./timing/weekly-line.ts";
export { traceProject, traceText } from "./trace/trace-project.ts";
