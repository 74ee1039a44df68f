import { invalidRequest } from '@lectern/service-kit';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_BUCKETS = 1_000;

/** A period of whole intervals. */
export interface UsagePeriod {
  readonly from: Date;
  readonly to: Date;
  readonly intervalMs: number;
}

interface UsageQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly interval: 'hour' | 'day';
}

/**
 * Rounds the period of a query to whole intervals. Throws `invalid_request` if it is empty or has
 * more than 1,000.
 */
export function usagePeriod(query: UsageQuery): UsagePeriod {
  const intervalMs = query.interval === 'hour' ? HOUR_MS : DAY_MS;
  const { to = new Date() } = query;
  const { from = new Date(to.getTime() - DAY_MS) } = query;
  if (from >= to) throw invalidRequest([{ path: 'from', message: 'must be before `to`' }]);
  const start = Math.floor(from.getTime() / intervalMs) * intervalMs;
  const end = Math.ceil(to.getTime() / intervalMs) * intervalMs;
  if ((end - start) / intervalMs > MAX_BUCKETS) {
    throw invalidRequest([
      { path: 'from', message: 'must result in at most 1,000 intervals; use `interval=day` or a shorter period' },
    ]);
  }
  return { from: new Date(start), to: new Date(end), intervalMs };
}

const BREAKDOWN_DAYS = 30;

/** Rounds the period of a breakdown to whole days. Throws `invalid_request` like `usagePeriod`. */
export function breakdownPeriod({ from, to = new Date() }: Omit<UsageQuery, 'interval'>): UsagePeriod {
  return usagePeriod({ from: from ?? new Date(to.getTime() - BREAKDOWN_DAYS * DAY_MS), to, interval: 'day' });
}
