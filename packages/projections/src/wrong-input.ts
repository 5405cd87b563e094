/**
 * Something the user gave cannot be used; the message is one line that says what, where and what would be right.
 *
 * Not the engine's UsageError, because workers load this module and should not load the engine with it.
 */
export class WrongInput extends Error {
  override readonly name = "WrongInput";
}
