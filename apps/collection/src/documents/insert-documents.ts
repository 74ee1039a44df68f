import { type Batched, newId } from '@lectern/service-kit';
import { DOCUMENT_COLUMNS, type DocumentColumns, fromColumns } from '#documents/document-columns';
import { OLD_PAGES } from '#documents/document-pages';
import type { DocumentWithCollection } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import type { NewContent } from '#documents/store-content';
import { createTextBatcher } from '#documents/text-batches';
import type { PrismaClient } from '#gen/prisma/client';

/** A document created through the API. */
export interface NewDocument extends Omit<NewContent, 'principals'> {
  /** Chosen by the caller; generated if omitted. */
  readonly id?: string | undefined;
  readonly teamId: string;
  readonly collectionId: string;
  readonly externalId: string | undefined;
  readonly source: string;
  /** If omitted: `public` for a new document, unchanged for a replaced one. */
  readonly principals: readonly string[] | undefined;
}

/**
 * Stores documents of the API, all concurrent ones in one statement. A document with the same
 * `externalId` in the collection is replaced by its next version; omitted principals and metadata
 * are kept. Returns undefined if the collection no longer exists.
 */
export function createDocumentInserts(
  db: Pick<PrismaClient, '$queryRaw'>,
): Batched<NewDocument, DocumentWithCollection | undefined> {
  return createTextBatcher((documents) => insertDocuments(db, documents));
}

/**
 * Stores a batch in one statement. If a duplicate document fails it, the batcher stores the
 * documents one by one.
 */
async function insertDocuments(
  db: Pick<PrismaClient, '$queryRaw'>,
  documents: readonly NewDocument[],
): Promise<(DocumentWithCollection | undefined)[]> {
  const ids = documents.map(({ id }) => id ?? newId('document'));
  const newRows = documents.map(({ teamId, collectionId, externalId, title, type, source, ...rest }, at) => ({
    id: ids[at],
    team_id: teamId,
    collection_id: collectionId,
    external_id: externalId ?? null,
    title,
    type,
    source,
    url: rest.url ?? null,
    metadata: toJson(rest.metadata),
    principals: rest.principals ?? ['public'],
    keeps_url: rest.url === undefined && rest.metadata === undefined,
    keeps_metadata: rest.metadata === undefined,
    keeps_principals: rest.principals === undefined,
    size_bytes: Buffer.byteLength(rest.content),
  }));
  // An existing row keeps its id, so it is identified by its external id.
  const rows = await db.$queryRaw<DocumentColumns[]>`
    WITH new_rows AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(newRows)}::jsonb) AS (
        id text, team_id text, collection_id text, external_id text, title text, type text, source text, url text, metadata jsonb,
        principals text[], keeps_url boolean, keeps_metadata boolean, keeps_principals boolean, size_bytes int)
    ), stored AS (
      INSERT INTO documents (id, team_id, collection_id, external_id, title, url, source, type, metadata, principals, version,
        size_bytes, updated_at)
      SELECT new_rows.id, new_rows.team_id, place.id, external_id, title, url, source, type, metadata, principals, 1, size_bytes, now()
      FROM new_rows JOIN collections AS place
        ON place.id = new_rows.collection_id AND place.team_id = new_rows.team_id AND place.deleted_at IS NULL
      ON CONFLICT (collection_id, external_id)
        WHERE connector_id IS NULL AND external_id IS NOT NULL AND status <> 'deleted'
      DO UPDATE SET title = excluded.title, source = excluded.source, type = excluded.type,
        url = CASE WHEN (SELECT keeps_url FROM new_rows WHERE new_rows.id = excluded.id) THEN documents.url ELSE excluded.url END,
        metadata = CASE WHEN (SELECT keeps_metadata FROM new_rows WHERE new_rows.id = excluded.id)
          THEN documents.metadata ELSE excluded.metadata END,
        principals = CASE WHEN (SELECT keeps_principals FROM new_rows WHERE new_rows.id = excluded.id)
          THEN documents.principals ELSE excluded.principals END,
        status = 'processing', error_code = NULL,
        error_message = NULL, version = documents.version + 1, size_bytes = excluded.size_bytes, updated_at = now()
      RETURNING *
    ), texts AS (
      INSERT INTO document_contents (document_id, content)
      SELECT stored.id, text.content
      FROM unnest(${ids}::text[], ${documents.map(({ content }) => content)}::text[]) AS text (id, content)
      JOIN new_rows ON new_rows.id = text.id
      JOIN stored ON stored.collection_id = new_rows.collection_id
        AND (stored.id = new_rows.id OR stored.external_id = new_rows.external_id)
      ON CONFLICT (document_id) DO UPDATE SET content = excluded.content, summary = NULL
    ), ${OLD_PAGES}
    SELECT ${DOCUMENT_COLUMNS} FROM stored AS d JOIN collections AS c ON c.id = d.collection_id`;
  const nameOf = (collectionId: string, externalId: string) => JSON.stringify([collectionId, externalId]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byName = new Map(rows.map((row) => [nameOf(row.collectionId, row.externalId ?? ''), row]));
  return documents.map(({ collectionId, externalId }, at) => {
    const row = externalId === undefined ? byId.get(ids[at] ?? '') : byName.get(nameOf(collectionId, externalId));
    return row && fromColumns(row);
  });
}
