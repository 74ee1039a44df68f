/** `config.dateRange`: ISO dates or times, both inclusive; a date is a whole day in UTC. */
export interface DateRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
const DAY_SECONDS = 86_400;

/** Converts a time to seconds since 1970. A time without a zone is in UTC. */
function secondsOf(text: string): number {
  const zoned = isDay(text) || /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
  return Date.parse(zoned) / 1_000;
}

/** Returns the first and the last message time in the range, in Slack's format. */
export function boundsOf(range: DateRange): { readonly oldest?: string; readonly latest?: string } {
  const oldest = range.from === undefined ? undefined : secondsOf(range.from);
  const end = range.to === undefined ? undefined : secondsOf(range.to) + (isDay(range.to) ? DAY_SECONDS : 0);
  return {
    ...(oldest === undefined ? {} : { oldest: oldest.toFixed(6) }),
    // Excludes the first moment of the next day.
    ...(end === undefined ? {} : { latest: isDay(range.to ?? '') ? `${end - 1}.999999` : end.toFixed(6) }),
  };
}

export function isWithin(ts: string, range: DateRange): boolean {
  const { oldest, latest } = boundsOf(range);
  const at = Number(ts);
  return (oldest === undefined || at >= Number(oldest)) && (latest === undefined || at <= Number(latest));
}
