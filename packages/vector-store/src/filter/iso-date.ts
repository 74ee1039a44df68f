import { AppError } from '@lectern/service-kit';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/i;
const DAY_MS = 86_400_000;

/** The milliseconds since 1970 of a date in ISO 8601 form, UTC where it names no zone; undefined for any other text. */
export function parseIsoDate(text: string): number | undefined {
  if (!ISO.test(text)) return undefined;
  const time = Date.parse(DAY.test(text) || HAS_ZONE.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** The date that `field` is compared with, as Qdrant reads it. @throws AppError `invalid_request` for what is no date. */
export function dateBound(field: string, value: unknown): string {
  return new Date(toTime(field, value)).toISOString();
}

/** The range that equality with a date means: the instant, or the whole day where no time is given. @throws as `dateBound` */
export function dateRange(field: string, value: unknown): { gte: string; lte: string } | { gte: string; lt: string } {
  const time = toTime(field, value);
  const gte = new Date(time).toISOString();
  const isDay = typeof value === 'string' && DAY.test(value);
  return isDay ? { gte, lt: new Date(time + DAY_MS).toISOString() } : { gte, lte: gte };
}

function toTime(field: string, value: unknown): number {
  const time = typeof value === 'string' ? parseIsoDate(value) : undefined;
  if (time !== undefined) return time;
  const message = `${field} is compared with ${JSON.stringify(value)}; give a date in ISO 8601 form.`;
  throw new AppError('invalid_request', message, { details: { field } });
}
