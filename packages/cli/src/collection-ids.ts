import type { Api } from '#api/api';
import { collection } from '#api/records';
import { CliError } from '#cli-error';

/** The ids of collections that are named by id or name. Throws `CliError` for one that is not there. */
export async function collectionIds(api: Api, wanted: readonly string[]): Promise<readonly string[]> {
  if (wanted.length === 0) return [];
  const all = await api.all('/api/v1/collections', collection);
  return wanted.map((text) => {
    const found = all.find(({ id }) => id === text) ?? all.find(({ name }) => name === text);
    if (found === undefined) throw new CliError(`There is no collection ${text}.`, { code: 'not_found' });
    return found.id;
  });
}

/**
 * The part of a search request that names its collections. Omitted if there are none, so that the
 * search covers everything in scope.
 */
export async function searchedIn(
  api: Api,
  wanted: readonly string[],
): Promise<{ readonly collections?: readonly string[] }> {
  return wanted.length === 0 ? {} : { collections: await collectionIds(api, wanted) };
}
