import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import { periodQuery } from '#http/period';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_BUCKETS = 1_000;

export const usageQuery = z.object({
  from: periodQuery.from.meta({ description: 'Default: 24 h before `to`. Rounded down to the interval' }),
  to: periodQuery.to.meta({ description: 'Default: now. Rounded up to the interval' }),
  interval: z.enum(['hour', 'day']).default('hour').meta({ description: 'Hours or days of UTC; at most 1,000' }),
});

/** A period of whole intervals. */
export interface UsagePeriod {
  readonly from: Date;
  readonly to: Date;
  readonly intervalMs: number;
}

/** The period that a query means. Throws `invalid_request` where it is empty or has more than 1,000 intervals. */
export function usagePeriod(query: z.output<typeof usageQuery>): UsagePeriod {
  const intervalMs = query.interval === 'hour' ? HOUR_MS : DAY_MS;
  const { to = new Date() } = query;
  const { from = new Date(to.getTime() - DAY_MS) } = query;
  if (from >= to) throw invalidRequest([{ path: 'from', message: 'must be before `to`' }]);
  const start = Math.floor(from.getTime() / intervalMs) * intervalMs;
  const end = Math.ceil(to.getTime() / intervalMs) * intervalMs;
  if ((end - start) / intervalMs > MAX_BUCKETS) {
    throw invalidRequest([
      { path: 'from', message: 'must leave at most 1,000 intervals; ask for days, or a shorter period' },
    ]);
  }
  return { from: new Date(start), to: new Date(end), intervalMs };
}
