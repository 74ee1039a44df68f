import type { Query } from '@lectern/sdk';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Period {
  readonly value: string;
  readonly label: string;
  readonly lengthMs: number;
  readonly interval: 'hour' | 'day';
}

/** What can be looked at. */
export const PERIODS: readonly [Period, ...Period[]] = [
  { value: 'day', label: 'The last 24 hours', lengthMs: DAY_MS, interval: 'hour' },
  { value: 'week', label: 'The last 7 days', lengthMs: 7 * DAY_MS, interval: 'day' },
  { value: 'month', label: 'The last 30 days', lengthMs: 30 * DAY_MS, interval: 'day' },
];

/** What is asked for: whole hours or days of UTC, the one at hand being the last. */
export function usageQuery({ lengthMs, interval }: Period, now: Date): Query<'getUsage'> {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const end = (Math.floor(now.getTime() / stepMs) + 1) * stepMs;
  return { from: new Date(end - lengthMs).toISOString(), to: new Date(end).toISOString(), interval };
}

const hour = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A place on the axis. Hours are told in the time of who looks, days as they are counted: in UTC. */
export function placeText(startAt: string, interval: 'hour' | 'day'): string {
  const start = new Date(startAt);
  return interval === 'hour' ? `${hour.format(start)} h` : day.format(start);
}
