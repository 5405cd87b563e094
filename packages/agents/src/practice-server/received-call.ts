/** A request as the practice server saw it; times are on `performance.now()`. */
export interface ReceivedCall {
  /** 0, 1, 2, … in the order of arrival. */
  readonly index: number;
  readonly path: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReceivedBody;
  readonly atMs: number;
  /** What was sent back; undefined while nothing was. */
  status: number | undefined;
  /** When the last byte of the answer was handed over. */
  endedAtMs: number | undefined;
  /** When the client closed the connection before the answer was complete; undefined if it did not. */
  closedAtMs: number | undefined;
}

/** The body of a request for a chat completion, as far as the practice server looks at it. */
export interface ReceivedBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly [field: string]: unknown;
}

/** The text of a request's last message: what was really asked. */
export function question({ body }: Pick<ReceivedCall, "body">): string {
  return body.messages.at(-1)?.content ?? "";
}

/** The text of a request's system message; empty when it has none. */
export function instructions({ body }: Pick<ReceivedCall, "body">): string {
  return body.messages.find(({ role }) => role === "system")?.content ?? "";
}
