import { ID_PREFIXES, type IdKind, isId, notFound } from '@lectern/service-kit';
import { z } from 'zod';
import { validate } from '#http/validate';

/** A path parameter that holds an id. A malformed one is answered like an unknown one. */
export function idParam(kind: IdKind) {
  const example = `${ID_PREFIXES[kind]}_01h455vb4pex5vsknk084sn02q`;
  return z
    .string()
    .refine((value) => isId(kind, value), { params: { resource: kind } })
    .meta({ description: `The id of the ${kind}`, examples: [example] });
}

/** The parameters of a path that names one record. */
export function idParams(kind: IdKind) {
  return z.object({ id: idParam(kind) });
}

/** Parses path parameters. Throws `not_found` for an id that is none. */
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
