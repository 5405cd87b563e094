export type { DigestResult } from "./digest-result.ts";
export { composeDigest, type DigestChoices, prepareDigest } from "./prepare-digest.ts";
