import { fields } from '@lectern/api-spec';
import { isId } from '@lectern/contracts';
import { invalidRequest, onBehalfOf } from '@lectern/service-kit';
import type { Context } from '#context';
import type { KeyedCall } from '#pipeline/operation';

/** The names that an error lists. */
const MAX_SHOWN = 20;

/** Ids or names of collections. */
export const collectionNames = fields.searchedCollections.optional();

/**
 * Returns the ids of collections that are given by id or by name. Upper and lower case of a name are the
 * same unless two collections differ only in them. Throws `invalid_request` with the names that exist.
 */
export async function collectionIds(
  { clients }: Context,
  given: readonly string[] | undefined,
  call: KeyedCall,
): Promise<string[] | undefined> {
  if (given === undefined) return undefined;
  if (given.every((text) => isId('collection', text))) return [...given];
  const { collections } = await clients.collections.resolveCollections({ ids: [] }, onBehalfOf(call));
  const idsOf = (text: string, index: number): string[] => {
    if (isId('collection', text)) return [text];
    const exact = collections.filter(({ name }) => name === text);
    const wanted = text.trim().toLowerCase();
    const found = exact.length > 0 ? exact : collections.filter(({ name }) => name.toLowerCase() === wanted);
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) return [only.id];
    const names = collections.map(({ name }) => JSON.stringify(name.slice(0, 100)));
    const known = `${names.slice(0, MAX_SHOWN).join(', ')}${names.length > MAX_SHOWN ? ', …' : ''}`;
    const message =
      only === undefined
        ? `is not the id or the name of a collection that you can search; these are: ${known || 'none'}`
        : 'is the name of several collections; use the id, which list_collections returns';
    throw invalidRequest([{ path: `collections[${index}]`, message }]);
  };
  return [...new Set(given.flatMap(idsOf))];
}
