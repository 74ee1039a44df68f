import { newId } from '@lectern/service-kit';
import type { Context } from '#context';
import { DOCUMENT_COLUMNS, type DocumentColumns, fromColumns } from '#documents/document-columns';
import type { DocumentWithCollection } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import type { NewContent } from '#documents/store-content';

/** A connector's item, which identifies its document. */
export interface StoredItem extends NewContent {
  readonly teamId: string;
  readonly collectionId: string;
  readonly connectorId: string;
  readonly externalId: string;
  readonly source: string;
}

/**
 * Stores an item's content as the next version of its document and marks it `processing`; creates
 * the document if no live one exists. One statement, because a sync runs it for each item. Returns
 * undefined if the collection no longer exists.
 */
export async function storeItem({ db }: Context, item: StoredItem): Promise<DocumentWithCollection | undefined> {
  const { teamId, collectionId, connectorId, externalId, title, source, type, content } = item;
  const [row] = await db.$queryRaw<DocumentColumns[]>`
    WITH place AS (
      SELECT id, name, embedding_model FROM collections
      WHERE id = ${collectionId} AND team_id = ${teamId} AND deleted_at IS NULL
    ), stored AS (
      INSERT INTO documents (id, team_id, collection_id, connector_id, external_id, title, url, source, type, metadata, principals,
        status, version, size_bytes, updated_at)
      SELECT ${newId('document')}, ${teamId}, place.id, ${connectorId}, ${externalId}, ${title}, ${item.url ?? null}, ${source},
        ${type}, ${JSON.stringify(toJson(item.metadata))}::jsonb, ${[...item.principals]}::text[], 'processing', 1,
        ${Buffer.byteLength(content)}, now()
      FROM place
      ON CONFLICT (connector_id, external_id)
        WHERE connector_id IS NOT NULL AND external_id IS NOT NULL AND status <> 'deleted'
      DO UPDATE SET title = excluded.title, url = excluded.url, type = excluded.type, metadata = excluded.metadata,
        principals = excluded.principals, status = 'processing', error_code = NULL, error_message = NULL,
        version = documents.version + 1, size_bytes = excluded.size_bytes, updated_at = now()
      WHERE documents.team_id = excluded.team_id
      RETURNING *
    ), text AS (
      INSERT INTO document_contents (document_id, content) SELECT id, ${content} FROM stored
      ON CONFLICT (document_id) DO UPDATE SET content = excluded.content, summary = NULL
    )
    SELECT ${DOCUMENT_COLUMNS} FROM stored AS d, place AS c`;
  return row && fromColumns(row);
}
