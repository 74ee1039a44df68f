import { notFound } from '@lectern/service-kit';
import type { z } from 'zod';
import { checkJson } from '#http/body/check-json';
import { validate } from '#http/validate';

/** Parses path parameters. Throws `not_found` for a malformed id. */
export function parseParams<P extends z.ZodObject>(schema: P, value: unknown): z.output<P> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const resource: unknown = issue.code === 'custom' ? issue.params?.resource : undefined;
    const [name] = issue.path;
    if (typeof resource !== 'string' || name === undefined) continue;
    throw notFound(resource, String(Reflect.get(Object(value), name)));
  }
  return validate(schema, value, 'path');
}

/** Parses the query. Throws `invalid_request` with every invalid parameter. */
export function parseQuery<Q extends z.ZodObject>(schema: Q, value: unknown): z.output<Q> {
  const query = validate(schema, value, 'query');
  checkJson(query);
  return query;
}
