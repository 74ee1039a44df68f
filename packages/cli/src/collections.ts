import type { Lectern, Paged, Schemas } from '@lectern/sdk';
import { CliError } from '#cli-error';

const MAX_ITEMS = 10_000;

/** The query to read a complete list with few requests. */
export const LARGEST_PAGE = { limit: 100 } as const;

/** Reads all items of a list, at most 10,000. */
export async function readAll<T>(list: Paged<T>): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const item of list) {
    items.push(item);
    if (items.length === MAX_ITEMS) break;
  }
  return items;
}

export type CollectionName = Pick<Schemas['Collection'], 'id' | 'name'>;

/** Finds a collection by id or name. */
export async function findCollection(
  lectern: Lectern,
  signal: AbortSignal,
  nameOrId: string,
): Promise<CollectionName | undefined> {
  const all = await readAll(lectern.collections.list(LARGEST_PAGE, { signal }));
  return all.find(({ id }) => id === nameOrId) ?? all.find(({ name }) => name === nameOrId);
}

/** Creates the error for an unknown collection. */
export const collectionNotFound = (nameOrId: string): CliError =>
  new CliError(`The collection ${nameOrId} does not exist. List the collections with: lectern status`, {
    code: 'not_found',
  });

/**
 * Returns the `collections` field of a search or chat request. Omits it if no collection is named: the
 * request then covers all collections that the key can access. Throws `CliError` for an unknown collection.
 */
export async function searchScope(
  lectern: Lectern,
  signal: AbortSignal,
  namesOrIds: readonly string[],
): Promise<{ readonly collections?: string[] }> {
  if (namesOrIds.length === 0) return {};
  const all = await readAll(lectern.collections.list(LARGEST_PAGE, { signal }));
  const collections = namesOrIds.map((nameOrId) => {
    const found = all.find(({ id }) => id === nameOrId) ?? all.find(({ name }) => name === nameOrId);
    if (found === undefined) throw collectionNotFound(nameOrId);
    return found.id;
  });
  return { collections };
}

/** Returns the `collection` field of a request; empty if no collection is named. Throws like `searchScope`. */
export async function collectionField(
  lectern: Lectern,
  signal: AbortSignal,
  nameOrId: string | undefined,
): Promise<{ readonly collection?: string }> {
  if (nameOrId === undefined) return {};
  const { collections = [] } = await searchScope(lectern, signal, [nameOrId]);
  return { collection: collections[0] ?? nameOrId };
}
