import { ID_PREFIXES } from '@lectern/contracts';
import { z } from 'zod';

const ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[0-9a-z]{26}$`);

/** Excludes team ids, because teams are never deleted. */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && ID.test(value) && !value.startsWith(`${ID_PREFIXES.team}_`);

const idsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSubject) : [];

const batch = z.object({
  results: z.array(z.object({ id: z.string().nullable(), error: z.object({ code: z.string() }).nullable() })),
});

/** Returns the results of a batch; none for other responses. */
const resultsIn = (data: unknown) => batch.safeParse(data).data?.results ?? [];

/**
 * Returns the records that a stored response is about: those in the request's path, those in the
 * response's own fields, for example a created document and its collection, and the results of a
 * batch. Other lists inside the response are ignored: an agent outlives a collection that it names.
 */
export function subjectsOf(params: unknown, data: unknown): string[] {
  return [...new Set([...idsIn(params), ...idsIn(data), ...resultsIn(data).flatMap(idsIn)])];
}

/** Returns the error codes of the failed items of a batch. */
export function itemErrorsIn(data: unknown): string[] {
  return resultsIn(data).flatMap(({ error }) => (error === null ? [] : [error.code]));
}

const deletedOne = z.object({ id: z.string(), deleted: z.literal(true) });
const deletedMany = z.object({ deleted: z.array(z.string()) });

/** Returns the ids of the records that a response reports as deleted. */
export function deletedIn(data: unknown): string[] {
  const one = deletedOne.safeParse(data);
  if (one.success) return [one.data.id];
  const many = deletedMany.safeParse(data);
  return many.success ? many.data.deleted : [];
}
