const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/** True for a date without a time. */
export const isIsoDay = (text: string): boolean => DAY.test(text);

/**
 * Parses an ISO 8601 date to milliseconds since 1970, as UTC if it has no zone. Returns undefined
 * for any other text.
 */
export function parseIsoDate(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const time = Date.parse(DAY.test(text) || HAS_ZONE.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}
