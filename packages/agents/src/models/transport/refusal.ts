import { ModelError } from "../consultation.ts";

/** Of what a provider says when it refuses; some send whole web pages. */
const LONGEST_MESSAGE = 300;

/** What is said of a refusal, however it came. */
interface RefusalFacts {
  readonly status?: number;
  /** `code` and `type` of the error, as far as the provider gives them. */
  readonly codes: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly counted?: ModelError["counted"];
}

/** Codes and words of providers for an account that is empty: no wait helps. */
const EMPTY_ACCOUNT =
  /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|access_terminated|insufficient_credits|credit_balance_too_low|payment_required|billing_error)$/;
const EMPTY_ACCOUNT_WORDS =
  /exceeded your current quota|credit balance is too low|insufficient (?:credits|funds|balance)|billing hard limit/i;
const PAYMENT_REQUIRED = 402;

/** A provider's refusal in our terms: whether to wait, to give up or to pay. */
export function refusal(message: string, { status, codes, headers, counted }: RefusalFacts): ModelError {
  const empty =
    status === PAYMENT_REQUIRED || codes.some((code) => EMPTY_ACCOUNT.test(code)) || EMPTY_ACCOUNT_WORDS.test(message);
  const limited = status === 429 || codes.some((code) => /^rate_limit/.test(code));
  const filtered = codes.includes("content_filter");
  const name = filtered ? "Filtered" : empty ? "QuotaExhausted" : limited ? "RateLimited" : "HttpError";
  return new ModelError(name, message, {
    ...(status === undefined ? (limited ? { status: 429 } : {}) : { status }),
    ...(headers === undefined ? {} : { headers }),
    ...(counted === undefined ? {} : { counted }),
  });
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_MESSAGE);
}

const WAIT_HEADERS = ["retry-after", "retry-after-ms"] as const;

/** The headers that say how long to wait. */
export function waitHeaders(headers: Headers | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    WAIT_HEADERS.flatMap((name) => {
      const value = headers?.get(name);
      return value == null ? [] : [[name, value]];
    }),
  );
}
