import { z } from 'zod';
import { wireSchemas } from '#http/wire-schemas';

/** The last page that a service can still count to with 100 items a page. */
export const MAX_PAGE = 20_000_000;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** A whole number as a query parameter holds it: decimal digits, nothing else. */
export function integerText(min: number, max: number) {
  return z
    .string('must be given once')
    .regex(/^-?\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .register(wireSchemas, { schema: { type: 'integer', minimum: min, maximum: max } });
}

const shape = {
  page: integerText(1, MAX_PAGE).default(1),
  limit: integerText(1, MAX_LIMIT).default(DEFAULT_LIMIT),
};

/** The query of a list. */
export const pageQuery = z.object(shape);

/** The same two in a body. */
export const pageFields = {
  page: z.int().min(1).max(MAX_PAGE).default(1),
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
};
