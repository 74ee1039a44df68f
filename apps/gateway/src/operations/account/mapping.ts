import { account } from '@lectern/api-spec';
import type { Passkey, Person } from '#gen/prisma/client';
import { time } from '#operations/convert';

export function passkeyRecord({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: time(createdAt), lastUsedAt: time(lastUsedAt ?? undefined) };
}

/** The language that a person chose. Null without one, or for one that a later version stored. */
export const languageOf = (person: Pick<Person, 'language'> | undefined): account.Language | null =>
  account.LANGUAGES.find((language) => language === person?.language) ?? null;
