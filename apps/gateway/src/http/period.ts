import { z } from 'zod';

/** A time in a query or a body: ISO 8601 with its offset. A date alone is its first moment in UTC. */
export const timeText = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform((text) => new Date(text));

/** The query of a list that is narrowed to a period. */
export const periodQuery = { from: timeText.optional(), to: timeText.optional() };

/** The period as a condition: `from` belongs to it, `to` does not. */
export function timesBetween(from: Date | undefined, to: Date | undefined): { gte?: Date; lt?: Date } {
  return { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
}
