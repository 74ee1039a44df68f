import { AppError } from '@lectern/service-kit';
import type { ReachedLimit } from '#budgets/limits';
import { endOfMonth } from '#budgets/month';

/** Costs are stored in millionths. */
export const MICROS = 1_000_000;

const shownValue = ({ unit }: Pick<ReachedLimit, 'unit'>, value: bigint) =>
  unit === 'cost' ? Number(value) / MICROS : Number(value);

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Describes a budget that is used up, when it resets and who can raise it. */
export function usedUp({ unit, limit }: ReachedLimit, month: Date, whose: string): string {
  const shown = number.format(shownValue({ unit }, limit));
  const amount = unit === 'tokens' ? `${shown} tokens` : `a cost of ${shown}`;
  return `${whose} for this month is used up: ${amount}. It resets on ${day.format(endOfMonth(month))} (UTC). An admin of the team can raise it.`;
}

/** Creates the error of a request that a hard limit prevents or stops. */
export function budgetExceeded(reached: ReachedLimit, month: Date, isPerson: boolean): AppError {
  const { unit } = reached;
  const resetsAt = endOfMonth(month);
  const limit = shownValue(reached, reached.limit);
  const message = usedUp(reached, month, isPerson ? 'Your budget' : 'The budget of this API key');
  const retryAfter = Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1000));
  const details = { budget: unit, limit, resetsAt: resetsAt.toISOString(), retryAfter };
  return new AppError('rate_limited', message, { details });
}

/** True for the error of `budgetExceeded`. */
export const isBudgetError = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'rate_limited' && error.details?.budget !== undefined;

/** The value of the header that warns of a soft limit. */
export const warningHeader = (reached: ReachedLimit, month: Date): string =>
  [
    reached.unit,
    `used=${shownValue(reached, reached.used)}`,
    `limit=${shownValue(reached, reached.limit)}`,
    `resets=${endOfMonth(month).toISOString()}`,
  ].join('; ');
