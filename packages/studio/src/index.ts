export type { CommandLine } from "./actions/jobs.ts";
export { buildPage, pageBundle } from "./page/page-bundle.ts";
export { type OpenStudio, openStudio, type StudioOptions } from "./server/open-studio.ts";
