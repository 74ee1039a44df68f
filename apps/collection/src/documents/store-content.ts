import type { Batched } from '@lectern/service-kit';
import { statesBefore } from '#document-status';
import { DOCUMENT_COLUMNS, type DocumentColumns, fromColumns } from '#documents/document-columns';
import { replacePages, type StoredPage } from '#documents/document-pages';
import type { DocumentWithCollection } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import { createTextBatcher, requireDistinct } from '#documents/text-batches';
import { Prisma, type PrismaClient } from '#gen/prisma/client';

/** The new content of a document. It replaces the earlier version completely. */
export interface NewContent {
  readonly title: string;
  readonly content: string;
  readonly type: string;
  readonly url?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly principals: readonly string[];
  /** The places of its words. */
  readonly pages?: readonly StoredPage[] | undefined;
}

/** The new content of an existing document. */
export interface DocumentContent extends NewContent {
  readonly id: string;
  readonly teamId: string;
}

/**
 * Stores the content of documents as their next versions and marks them `processing`, all
 * concurrent ones in one statement. Returns undefined for a document that is not live.
 */
export function createContentWrites(
  db: Pick<PrismaClient, '$queryRaw'>,
): Batched<DocumentContent, DocumentWithCollection | undefined> {
  return createTextBatcher((documents) => storeContents(db, documents));
}

async function storeContents(
  db: Pick<PrismaClient, '$queryRaw'>,
  documents: readonly DocumentContent[],
): Promise<(DocumentWithCollection | undefined)[]> {
  const ids = documents.map(({ id }) => id);
  requireDistinct(ids);
  const newRows = documents.map(({ id, teamId, title, type, url, metadata, principals, content }) => ({
    id,
    team_id: teamId,
    title,
    type,
    url: url ?? null,
    metadata: toJson(metadata),
    principals,
    size_bytes: Buffer.byteLength(content),
  }));
  const rows = await db.$queryRaw<DocumentColumns[]>`
    WITH new_rows AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(newRows)}::jsonb) AS (
        id text, team_id text, title text, type text, url text, metadata jsonb, principals text[], size_bytes int)
    ), open AS (
      SELECT new_rows.* FROM documents JOIN new_rows ON new_rows.id = documents.id AND new_rows.team_id = documents.team_id
      WHERE documents.status = ANY(${statesBefore('processing')}::document_status[])
      ORDER BY documents.id FOR UPDATE OF documents
    ), stored AS (
      UPDATE documents SET title = open.title, type = open.type, url = open.url, metadata = open.metadata,
        principals = open.principals, status = 'processing', error_code = NULL, error_message = NULL,
        version = documents.version + 1, size_bytes = open.size_bytes, updated_at = now()
      FROM open WHERE documents.id = open.id
      RETURNING documents.*
    ), texts AS (
      INSERT INTO document_contents (document_id, content)
      SELECT stored.id, text.content
      FROM unnest(${ids}::text[], ${documents.map(({ content }) => content)}::text[]) AS text (id, content)
      JOIN stored ON stored.id = text.id
      ON CONFLICT (document_id) DO UPDATE SET content = excluded.content, summary = NULL
    ), ${replacePages(
      documents,
      Prisma.sql`unnest(${ids}::text[]) WITH ORDINALITY AS name (id, document)`,
      Prisma.sql`stored.id = name.id`,
    )}
    SELECT ${DOCUMENT_COLUMNS} FROM stored AS d JOIN collections AS c ON c.id = d.collection_id`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    return row && fromColumns(row);
  });
}
