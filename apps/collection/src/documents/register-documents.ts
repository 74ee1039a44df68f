import { newId } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { toJson } from '#documents/metadata';

/** An item that a connector is about to fetch. */
interface RegisteredItem {
  readonly externalId: string;
  readonly title: string;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Registration {
  readonly teamId: string;
  readonly collectionId: string;
  readonly connectorId: string;
  readonly source: string;
  readonly items: readonly RegisteredItem[];
}

/**
 * Creates a `pending` document for each item without one and returns the items' documents in order.
 * Safe to run concurrently.
 */
export async function registerDocuments(
  { db }: Context,
  registration: Registration,
): Promise<DocumentWithCollection[]> {
  const { teamId, collectionId, connectorId, source, items } = registration;
  await db.document.createMany({
    data: items.map((item) => ({
      id: newId('document'),
      teamId,
      collectionId,
      connectorId,
      externalId: item.externalId,
      title: item.title,
      url: item.url ?? null,
      metadata: toJson(item.metadata),
      source,
      // Until the content is parsed, the type is unknown and no one can read the document.
      type: 'unknown',
      principals: [],
    })),
    skipDuplicates: true,
  });
  const rows = await db.document.findMany({
    where: {
      teamId,
      connectorId,
      externalId: { in: items.map(({ externalId }) => externalId) },
      status: { in: LIVE_STATES },
    },
    include: WITH_COLLECTION,
  });
  const byItem = new Map(rows.map((row) => [row.externalId, row]));
  return items.map(({ externalId }) => {
    const row = byItem.get(externalId);
    if (row === undefined) throw new Error('A document was deleted while it was registered.');
    return row;
  });
}
