export type { DigestReport, DigestResult, FileDigest } from "./digest-record.ts";
export { DigestSearch, type DigestSetup } from "./digest-search.ts";
export { readSource, type SourceFile } from "./source-file.ts";
export { SummaryCache } from "./summary-cache.ts";
