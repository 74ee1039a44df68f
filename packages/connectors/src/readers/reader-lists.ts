import type { Reader, UserReader } from '#readers/reader';
import { SourceError } from '#source-error';

const keyOf = (reader: Reader): string => (reader.kind === 'everyone' ? 'everyone' : `${reader.kind}:${reader.id}`);

export const isEveryone = (readers: readonly Reader[]): boolean => readers.some(({ kind }) => kind === 'everyone');

export const distinct = (readers: readonly Reader[]): readonly Reader[] => [
  ...new Map(readers.map((reader) => [keyOf(reader), reader])).values(),
];

/** Caches results for one pass. */
export function once<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key) => {
    const result = results.get(key) ?? load(key);
    results.set(key, result);
    return result;
  };
}

/**
 * Returns the readers in both lists. If one list names a group and the other its members or another
 * group, their members are compared.
 */
export async function intersect(
  a: readonly Reader[],
  b: readonly Reader[],
  membersOf: (group: string) => Promise<readonly UserReader[]>,
): Promise<readonly Reader[]> {
  if (isEveryone(a)) return b;
  if (isEveryone(b)) return a;
  const inB = new Set(b.map(keyOf));
  const same = a.filter((reader) => inB.has(keyOf(reader)));
  if (same.length === a.length || same.length === b.length) return same;
  const people = async (readers: readonly Reader[]): Promise<readonly UserReader[]> => {
    const each = await Promise.all(
      readers.map(async (reader) => {
        if (reader.kind === 'user') return [reader];
        return reader.kind === 'group' ? membersOf(reader.id) : [];
      }),
    );
    return each.flat();
  };
  const peopleOfB = new Set((await people(b)).map(({ id }) => id));
  const shared = (await people(a)).filter(({ id }) => peopleOfB.has(id));
  return distinct([...same, ...shared]);
}

/** True for errors that mean that permissions are unreadable, and that a retry cannot fix. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof SourceError && ['gone', 'forbidden', 'invalid'].includes(error.kind);

/**
 * If the permissions are unreadable, no one gets access. Errors that a retry can fix are thrown.
 */
export async function orNoReaders(readers: Promise<readonly Reader[]>): Promise<readonly Reader[]> {
  try {
    return await readers;
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}
