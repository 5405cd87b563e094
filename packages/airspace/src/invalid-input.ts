/** Input that cannot be used: one line that says what is wrong, where, and what would be right. Commands exit with 2. */
export class InvalidInput extends Error {
  override readonly name = "InvalidInput";
}
