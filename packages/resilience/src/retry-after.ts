/** The maximum wait. Longer ones are reduced to it. */
const MAX_WAIT_MS = 30 * 86_400_000;

const SECONDS = /^\d+(\.\d+)?$/;
// `Date.parse` accepts nearly any text that contains a digit.
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;
const ISO_DATE = /^\d{4}-\d\d-\d\dT/;

/**
 * Returns the wait that a `Retry-After` header requests (RFC 9110 §10.2.3: seconds or a date), in
 * milliseconds from `now`: 0 for a date in the past, at most 30 days. Returns undefined if the
 * header is missing or malformed.
 */
export function retryAfterMs(header: string | null | undefined, now: number = Date.now()): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = SECONDS.test(text) ? Number(text) * 1_000 : parseDate(text) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_WAIT_MS);
}

/** Returns milliseconds since the epoch, or NaN. */
function parseDate(text: string): number {
  if (ISO_DATE.test(text)) return Date.parse(text);
  if (!HTTP_DATE.test(text)) return Number.NaN;
  // The asctime form has no zone and means GMT; `Date.parse` would read it as local time.
  return Date.parse(text.includes(',') ? text : `${text} GMT`);
}
