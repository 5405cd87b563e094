export type { DigestReport, DigestResult, FileDigest } from "./digest-result.ts";
export { DigestSearch, type DigestSetup } from "./digest-search.ts";
export { composeDigest, type DigestChoices, type DigestRecord, prepareDigest } from "./prepare-digest.ts";
