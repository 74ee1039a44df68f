import type { ItemCatalog, ItemProperties, StoredItem } from '@lectern/connectors';
import { createBatcher } from '@lectern/service-kit';
import { z } from 'zod';
import type { Prisma, PrismaClient, PushedItem } from '#gen/prisma/client';
import type { ItemState } from '#push/item-state';

// The rows of pushed items: the source of a `custom` connector.

/** The stored content of an item. */
export interface ItemContent extends ItemProperties {
  readonly blobKey: string;
  readonly version: string;
}

export type StoredState = ItemState<ItemContent>;

const properties = z.object({
  title: z.string(),
  fileName: z.string(),
  sizeBytes: z.number(),
  mimeType: z.string().optional(),
  url: z.string().optional(),
  author: z.string().optional(),
  updatedAt: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
});

/** Reads the content of a row. Undefined if the item does not exist. */
function contentOf({ contentRevision, blobKey, version, properties: stored }: PushedItem) {
  if (contentRevision === null || blobKey === null || version === null) return undefined;
  return { revision: Number(contentRevision), value: { ...properties.parse(stored), blobKey, version } };
}

export function stateOf(row: PushedItem): StoredState {
  const content = contentOf(row);
  const { principalsRevision, principals, deletedRevision } = row;
  return {
    ...(content === undefined ? {} : { content }),
    ...(principalsRevision === null ? {} : { principals: { revision: Number(principalsRevision), value: principals } }),
    ...(deletedRevision === null ? {} : { deleted: Number(deletedRevision) }),
  };
}

/** Reads the states of items. Ids without a row are not in the map. */
export async function readStates(
  tx: Prisma.TransactionClient,
  connectorId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredState>> {
  const rows = await tx.pushedItem.findMany({ where: { connectorId, itemId: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.itemId, stateOf(row)]));
}

/** Stores the states of items, in one statement. The caller has locked the connector. */
export async function storeStates(
  tx: Prisma.TransactionClient,
  connectorId: string,
  states: ReadonlyMap<string, StoredState>,
): Promise<void> {
  if (states.size === 0) return;
  const rows = [...states].map(([id, { content, principals, deleted }]) => {
    const { blobKey, version, ...stored } = content?.value ?? { blobKey: null, version: null };
    return {
      ...{ id, blob_key: blobKey, version, properties: stored, content_revision: content?.revision ?? null },
      ...{ principals_revision: principals?.revision ?? null, principals: principals?.value ?? [] },
      deleted_revision: deleted ?? null,
    };
  });
  await tx.$executeRaw`
    INSERT INTO pushed_items (connector_id, item_id, blob_key, version, properties, content_revision, principals_revision,
      principals, deleted_revision, updated_at)
    SELECT ${connectorId}, id, blob_key, version, properties, content_revision, principals_revision,
      ARRAY(SELECT jsonb_array_elements_text(principals)), deleted_revision, clock_timestamp()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS item (id text, blob_key text, version text, properties jsonb,
      content_revision bigint, principals_revision bigint, principals jsonb, deleted_revision bigint)
    ORDER BY id COLLATE "C"
    ON CONFLICT (connector_id, item_id) DO UPDATE
    SET blob_key = excluded.blob_key, version = excluded.version, properties = excluded.properties,
      content_revision = excluded.content_revision, principals_revision = excluded.principals_revision,
      principals = excluded.principals, deleted_revision = excluded.deleted_revision, updated_at = excluded.updated_at`;
}

function toStoredItem(row: PushedItem): StoredItem[] {
  const { content, principals } = stateOf(row);
  return content === undefined ? [] : [{ id: row.itemId, ...content.value, principals: principals?.value }];
}

/** Rows per query. */
const MAX_ROWS = 200;

/** Creates the access of `custom` connectors to their items. */
export function createItemCatalog(db: PrismaClient, connectorId: string): ItemCatalog {
  // The items that are read at the same time share a query.
  const findRow = createBatcher({
    maxWeight: MAX_ROWS,
    work: async (ids: readonly string[]) => {
      const rows = await db.pushedItem.findMany({ where: { connectorId, itemId: { in: [...new Set(ids)] } } });
      const byId = new Map(rows.map((row) => [row.itemId, row]));
      return ids.map((id) => byId.get(id));
    },
  });
  return {
    page: async (after, limit) => {
      const rows = await db.pushedItem.findMany({
        where: {
          ...{ connectorId, contentRevision: { not: null } },
          ...(after === undefined ? {} : { itemId: { gt: after } }),
        },
        orderBy: { itemId: 'asc' },
        take: limit,
      });
      return rows.flatMap(toStoredItem);
    },
    find: async (id) => {
      const row = await findRow(id);
      return row === undefined ? undefined : toStoredItem(row)[0];
    },
  };
}
