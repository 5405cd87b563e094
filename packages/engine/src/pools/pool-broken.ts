/** The pool cannot go on; one line for people, and the stack of what was thrown, if anything was. */
export class PoolBroken extends Error {
  override readonly name = "PoolBroken";
  readonly detail: string;

  constructor(message: string, detail: string) {
    super(message);
    this.detail = detail;
  }
}
