/** How much newer documents are preferred. */
export interface Recency {
  /** The age at which half of `weight` is lost. */
  readonly halfLifeDays: number;
  /** The share of the score that the oldest documents lose, from 0 to 1. */
  readonly weight: number;
  /**
   * The time that ages are counted from, in milliseconds since 1970. It must be the same for all
   * pages of a query.
   */
  readonly now: number;
}

const DAY_MS = 86_400_000;

/** Returns the start of the UTC day: a time that stays the same while a person reads the pages. */
export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/**
 * Returns the factor for the score of a document: 1 if it changed at `now` or later, and
 * `1 - weight` if it is very old or its date is unknown.
 */
export function recencyFactor({ halfLifeDays, weight, now }: Recency, updatedAt: number | undefined): number {
  if (updatedAt === undefined) return 1 - weight;
  const age = Math.max(0, now - updatedAt) / DAY_MS;
  return 1 - weight * (1 - 2 ** (-age / halfLifeDays));
}
