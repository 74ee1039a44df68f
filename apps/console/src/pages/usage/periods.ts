import type { Query } from '@lectern/sdk';
import { language, t } from '#texts/texts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Period {
  readonly value: string;
  readonly label: string;
  readonly lengthMs: number;
  readonly interval: 'hour' | 'day';
}

/** The selectable periods. */
export const PERIODS: readonly [Period, ...Period[]] = [
  { value: 'day', label: t('usage.periods.day'), lengthMs: DAY_MS, interval: 'hour' },
  { value: 'week', label: t('usage.periods.week'), lengthMs: 7 * DAY_MS, interval: 'day' },
  { value: 'month', label: t('usage.periods.month'), lengthMs: 30 * DAY_MS, interval: 'day' },
];

/** Returns the query for a period: whole hours or days in UTC, up to and including the current one. */
export function usageQuery({ lengthMs, interval }: Period, now: Date): Query<'getUsage'> {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const end = (Math.floor(now.getTime() / stepMs) + 1) * stepMs;
  return { from: new Date(end - lengthMs).toISOString(), to: new Date(end).toISOString(), interval };
}

const hour = new Intl.DateTimeFormat(language(), {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat(language(), { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats a label of the x-axis. Hours are in local time; days are in UTC, like in the report. */
export function bucketLabel(startAt: string, interval: 'hour' | 'day'): string {
  const start = new Date(startAt);
  return interval === 'hour' ? hour.format(start) : day.format(start);
}
