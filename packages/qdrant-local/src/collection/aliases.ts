import { alreadyExists, formatError, notFound } from '../errors.ts';
import type { JsonObject } from '../json/types.ts';
import { readArray, readObject, readString, required } from '../parse/reader.ts';

function text(object: JsonObject, key: string): string {
  return readString(required(object, key), key);
}

/**
 * Applies a list of alias actions, all or none. Returns the new aliases.
 *
 * @throws QdrantError 404 for an unknown collection or alias, 409 if an alias is also the name of a
 * collection
 */
export function changeAliases(
  aliases: ReadonlyMap<string, string>,
  isCollection: (name: string) => boolean,
  body: JsonObject,
): Map<string, string> {
  const changed = new Map(aliases);
  const assertNotCollection = (name: string): void => {
    if (isCollection(name)) throw alreadyExists(`Collection \`${name}\` already exists!`);
  };
  const take = (name: string): string => {
    const target = changed.get(name);
    if (target === undefined) throw notFound(`Alias ${name} does not exists!`);
    changed.delete(name);
    return target;
  };
  for (const value of readArray(required(body, 'actions'), 'actions')) {
    const action = readObject(value, 'actions');
    if (Object.hasOwn(action, 'create_alias')) {
      const params = readObject(required(action, 'create_alias'), 'create_alias');
      const collection = text(params, 'collection_name');
      if (!isCollection(collection)) throw notFound(`Collection \`${collection}\` doesn't exist!`);
      assertNotCollection(text(params, 'alias_name'));
      changed.set(text(params, 'alias_name'), collection);
    } else if (Object.hasOwn(action, 'rename_alias')) {
      const params = readObject(required(action, 'rename_alias'), 'rename_alias');
      assertNotCollection(text(params, 'new_alias_name'));
      changed.set(text(params, 'new_alias_name'), take(text(params, 'old_alias_name')));
    } else if (Object.hasOwn(action, 'delete_alias')) {
      const name = text(readObject(required(action, 'delete_alias'), 'delete_alias'), 'alias_name');
      changed.delete(name);
    } else throw formatError('actions: expected `create_alias`, `delete_alias` or `rename_alias`');
  }
  return changed;
}
