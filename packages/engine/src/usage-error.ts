/** The caller asked for something that cannot be: one clear line for people, exit code 2, nothing touched. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
