import { AppError } from '@lectern/service-kit';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const DAY_MS = 86_400_000;

/**
 * Parses an ISO 8601 date to milliseconds since 1970, as UTC if it has no zone. Returns undefined
 * for any other text.
 */
export function parseIsoDate(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const time = Date.parse(DAY.test(text) || HAS_ZONE.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/**
 * Returns a date in Qdrant's format.
 * @throws AppError `invalid_request` if it is not a date
 */
export function dateBound(field: string, value: unknown): string {
  return new Date(toTime(field, value)).toISOString();
}

/**
 * Returns the range for equality with a date: the instant, or the whole day if it has no time.
 * @throws as `dateBound`
 */
export function dateRange(field: string, value: unknown): { gte: string; lte: string } | { gte: string; lt: string } {
  const time = toTime(field, value);
  const gte = new Date(time).toISOString();
  const isDay = typeof value === 'string' && DAY.test(value);
  return isDay ? { gte, lt: new Date(time + DAY_MS).toISOString() } : { gte, lte: gte };
}

function toTime(field: string, value: unknown): number {
  const time = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (time !== undefined) return time;
  const message = `${field} is compared with ${JSON.stringify(value)}. Use a date in ISO 8601 format.`;
  throw new AppError('invalid_request', message, { details: { field } });
}
