import { random } from "../random/random.ts";

/** When to try again, how often and after which wait. */
export interface RetryOptions {
  /** Further attempts after the first; default 2. */
  readonly retries?: number;
  /** Wait before the first retry; doubles each time. Default 500. */
  readonly baseMs?: number;
  /** No wait is longer; a server that asks for more is not asked again. Default 60,000. */
  readonly maxMs?: number;
  /** Which errors are worth another attempt; default: HTTP status 429 and 5xx. */
  readonly retryable?: (error: unknown) => boolean;
}

/** Milliseconds to wait before attempt `attempt + 1`, or undefined to give up. */
export function retryDelayMs(
  error: unknown,
  attempt: number,
  index: number,
  options: RetryOptions,
): number | undefined {
  const { retries = 2, baseMs = 500, maxMs = 60_000, retryable = isOverloaded } = options;
  if (attempt >= retries || !retryable(error)) return undefined;
  const asked = retryAfterMs(error);
  if (asked !== undefined) return asked <= maxMs ? asked : undefined;
  // Items that failed together come back spread over half the wait. Seeded: the same item waits the same each time.
  const spread = 0.75 + 0.5 * random(index).at("retry").at(attempt).uniform();
  return backoffMs(baseMs * spread, attempt, maxMs);
}

/** The wait after an attempt, the first of which is 0: twice as long each time. */
export function backoffMs(baseMs: number, attempt: number, mostMs = 30_000): number {
  return Math.min(mostMs, baseMs * 2 ** attempt);
}

function isOverloaded(error: unknown): boolean {
  const status = field(error, "status") ?? field(error, "statusCode");
  return typeof status === "number" && (status === 429 || (status >= 500 && status <= 599));
}

/** What a `Retry-After` header asks for (RFC 9110 10.2.3): seconds, or a date; some servers say it in milliseconds too. */
function retryAfterMs(error: unknown): number | undefined {
  const exact = headerOf(field(error, "headers"), "retry-after-ms");
  if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact)) return Number(exact);
  const header = headerOf(field(error, "headers"), "retry-after");
  if (header === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name)?.trim();
  if (typeof headers !== "object" || headers === null) return undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return entry === undefined ? undefined : String(entry[1]).trim();
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
