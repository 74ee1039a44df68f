import type { z } from 'zod';
import { checkJson } from '#http/body/check-json';
import { validate } from '#http/validate';

/** Parses the query. Throws `invalid_request` that names each field at fault: a text in it can hold no more than one in a body. */
export function parseQuery<Q extends z.ZodObject>(schema: Q, value: unknown): z.output<Q> {
  const query = validate(schema, value, 'query');
  checkJson(query);
  return query;
}
