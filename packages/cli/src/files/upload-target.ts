import type { Lectern, Schemas } from '@lectern/sdk';
import { type CollectionName, collectionNotFound, findCollection, LARGEST_PAGE, readAll } from '#collections';
import type { Shell } from '#command';
import { oneLine } from '#output/plain-text';

export interface UploadTarget {
  readonly collection: CollectionName;
  readonly connector: Schemas['Connector'];
}

/** Returns the collection with this name or id; creates it if no collection has the name. */
export async function ensureCollection(
  lectern: Lectern,
  nameOrId: string,
  { output, signal }: Shell,
): Promise<CollectionName> {
  const existing = await findCollection(lectern, signal, nameOrId);
  if (existing !== undefined) return existing;
  if (nameOrId.startsWith('col_')) throw collectionNotFound(nameOrId);
  const created = await lectern.collections.create({ name: nameOrId }, { signal });
  output.note(`Created the collection ${oneLine(created.name)} (${created.id}).`);
  return created;
}

/** Returns the collection with this name or id and its upload connector. Creates what is missing. */
export async function ensureUploadTarget(lectern: Lectern, nameOrId: string, shell: Shell): Promise<UploadTarget> {
  const { signal } = shell;
  const collection = await ensureCollection(lectern, nameOrId, shell);
  const connectors = await readAll(lectern.connectors.list(LARGEST_PAGE, { signal }));
  const existing = connectors.find(
    (connector) => connector.type === 'upload' && connector.collection === collection.id,
  );
  if (existing !== undefined) return { collection, connector: existing };
  const body = {
    name: `Files of ${collection.name}`.slice(0, 200),
    type: 'upload' as const,
    collection: collection.id,
  };
  return { collection, connector: await lectern.connectors.create(body, { signal }) };
}
