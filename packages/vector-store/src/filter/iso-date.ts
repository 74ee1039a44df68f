import { isIsoDay, parseIsoDate } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';

const DAY_MS = 86_400_000;

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
  const isDay = typeof value === 'string' && isIsoDay(value);
  return isDay ? { gte, lt: new Date(time + DAY_MS).toISOString() } : { gte, lte: gte };
}

function toTime(field: string, value: unknown): number {
  const time = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (time !== undefined) return time;
  const message = `${field} is compared with ${JSON.stringify(value)}. Use a date in ISO 8601 format.`;
  throw new AppError('invalid_request', message, { details: { field } });
}
