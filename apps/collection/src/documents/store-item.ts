import { type Batched, newId } from '@lectern/service-kit';
import { DOCUMENT_COLUMNS, type DocumentColumns, fromColumns } from '#documents/document-columns';
import { replacePages } from '#documents/document-pages';
import type { DocumentWithCollection } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import type { NewContent } from '#documents/store-content';
import { createTextBatcher, requireDistinct } from '#documents/text-batches';
import { Prisma, type PrismaClient } from '#gen/prisma/client';

/** A connector's item, which identifies its document. */
export interface StoredItem extends NewContent {
  readonly teamId: string;
  readonly collectionId: string;
  readonly connectorId: string;
  readonly externalId: string;
  readonly source: string;
}

/**
 * Stores the content of items as the next versions of their documents and marks them `processing`;
 * creates the documents that do not exist. All concurrent items are stored in one statement.
 * Returns undefined if the collection no longer exists.
 */
export function createItemWrites(
  db: Pick<PrismaClient, '$queryRaw'>,
): Batched<StoredItem, DocumentWithCollection | undefined> {
  return createTextBatcher((items) => storeItems(db, items));
}

const nameOf = (connectorId: string | null, externalId: string | null) => JSON.stringify([connectorId, externalId]);

async function storeItems(
  db: Pick<PrismaClient, '$queryRaw'>,
  items: readonly StoredItem[],
): Promise<(DocumentWithCollection | undefined)[]> {
  const names = items.map(({ connectorId, externalId }) => nameOf(connectorId, externalId));
  requireDistinct(names);
  const newRows = items.map((item) => ({
    id: newId('document'),
    team_id: item.teamId,
    collection_id: item.collectionId,
    connector_id: item.connectorId,
    external_id: item.externalId,
    title: item.title,
    url: item.url ?? null,
    source: item.source,
    type: item.type,
    metadata: toJson(item.metadata),
    principals: item.principals,
    size_bytes: Buffer.byteLength(item.content),
  }));
  const connectors = items.map(({ connectorId }) => connectorId);
  const externals = items.map(({ externalId }) => externalId);
  const rows = await db.$queryRaw<DocumentColumns[]>`
    WITH new_rows AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(newRows)}::jsonb) AS (
        id text, team_id text, collection_id text, connector_id text, external_id text, title text, url text, source text,
        type text, metadata jsonb, principals text[], size_bytes int)
    ), stored AS (
      INSERT INTO documents (id, team_id, collection_id, connector_id, external_id, title, url, source, type, metadata, principals,
        status, version, size_bytes, updated_at)
      SELECT new_rows.id, new_rows.team_id, place.id, connector_id, external_id, title, url, source, type, metadata, principals,
        'processing', 1, size_bytes, now()
      FROM new_rows JOIN collections AS place
        ON place.id = new_rows.collection_id AND place.team_id = new_rows.team_id AND place.deleted_at IS NULL
      -- Statements that lock several rows lock them in the same order, which prevents deadlocks.
      ORDER BY connector_id, external_id
      ON CONFLICT (connector_id, external_id)
        WHERE connector_id IS NOT NULL AND external_id IS NOT NULL AND status <> 'deleted'
      DO UPDATE SET title = excluded.title, url = excluded.url, type = excluded.type, metadata = excluded.metadata,
        principals = excluded.principals, status = 'processing', error_code = NULL, error_message = NULL,
        version = documents.version + 1, size_bytes = excluded.size_bytes, updated_at = now()
      WHERE documents.team_id = excluded.team_id
      RETURNING *
    ), texts AS (
      INSERT INTO document_contents (document_id, content)
      SELECT stored.id, text.content
      FROM unnest(${connectors}::text[], ${externals}::text[],
        ${items.map(({ content }) => content)}::text[]) AS text (connector_id, external_id, content)
      JOIN stored ON stored.connector_id = text.connector_id AND stored.external_id = text.external_id
      ON CONFLICT (document_id) DO UPDATE SET content = excluded.content, summary = NULL
    ), ${replacePages(
      items,
      Prisma.sql`unnest(${connectors}::text[], ${externals}::text[])
        WITH ORDINALITY AS name (connector_id, external_id, document)`,
      Prisma.sql`stored.connector_id = name.connector_id AND stored.external_id = name.external_id`,
    )}
    SELECT ${DOCUMENT_COLUMNS} FROM stored AS d JOIN collections AS c ON c.id = d.collection_id`;
  const byName = new Map(rows.map((row) => [nameOf(row.connectorId, row.externalId), row]));
  return names.map((name) => {
    const row = byName.get(name);
    return row && fromColumns(row);
  });
}
