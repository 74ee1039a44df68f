import { ID_PREFIXES } from '@lectern/service-kit';
import { z } from 'zod';

const ID = new RegExp(`^(?:${Object.values(ID_PREFIXES).join('|')})_[0-9a-z]{26}$`);

/** Every team's answer names its team; a team is never deleted. */
const isSubject = (value: unknown): value is string =>
  typeof value === 'string' && ID.test(value) && !value.startsWith(`${ID_PREFIXES.team}_`);

const idsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter(isSubject) : [];

/**
 * What a stored answer is about: the records that its request's path names, and those that its own fields name, such as the document that was
 * created and the collection that holds it. Lists inside the answer do not count: an agent outlives a collection that it names.
 */
export function subjectsOf(params: unknown, data: unknown): string[] {
  return [...new Set([...idsIn(params), ...idsIn(data)])];
}

const deletedOne = z.object({ id: z.string(), deleted: z.literal(true) });
const deletedMany = z.object({ deleted: z.array(z.string()) });

/** The records that an answer reports as deleted. */
export function deletedIn(data: unknown): string[] {
  const one = deletedOne.safeParse(data);
  if (one.success) return [one.data.id];
  const many = deletedMany.safeParse(data);
  return many.success ? many.data.deleted : [];
}
