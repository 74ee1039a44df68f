import { lectern } from '#api/lectern.ts';
import type { CollectionRecord } from '#api/types.ts';
import { t } from '#texts/texts.ts';

/** Returns the upload connector of a collection. Creates it for the first upload. */
export async function uploadConnector(collection: CollectionRecord): Promise<string> {
  for await (const { id, type, collection: target } of lectern().connectors.list({ limit: 100 }))
    if (type === 'upload' && target === collection.id) return id;
  const name = t('collections.uploadName', { name: collection.name }).slice(0, 200);
  return (await lectern().connectors.create({ name, type: 'upload', collection: collection.id })).id;
}
