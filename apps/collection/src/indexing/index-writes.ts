import { type Batched, createBatcher } from '@lectern/service-kit';
import { ANALYSIS_VERSION } from '@lectern/text';
import { type Passage, POINTS_VERSION, type VectorStore } from '@lectern/vector-store';
import { DOCUMENT_COLUMNS, type DocumentColumns, fromColumns } from '#documents/document-columns';
import type { DocumentWithCollection } from '#documents/document-record';
import type { Document, PrismaClient } from '#gen/prisma/client';
import { IS_REBUILD } from '#reconcile/rebuild';

/** A version of a document whose passages are stored. */
interface IndexedVersion {
  readonly id: string;
  readonly version: number;
  readonly model: string;
  readonly chunkCount: number;
  readonly languages: readonly string[];
}

/** The fields of the row after a commit. */
type CommittedVersion = Pick<Document, 'id' | 'principals' | 'indexedAt' | 'updatedAt'>;

/**
 * Reads and writes of document indexing. Each is batched with those of other documents that are
 * indexed at the same time.
 */
export interface IndexWrites {
  /**
   * Marks a document's stored version `processing`. Returns undefined if there is nothing to index:
   * deleted or already indexed.
   */
  readonly begin: Batched<{ readonly id: string; readonly teamId: string }, DocumentWithCollection | undefined>;
  /** Returns the text of a document; undefined if it was deleted in the meantime. */
  readonly readContent: Batched<Pick<Document, 'id' | 'sizeBytes'>, string | undefined>;
  /** Stores passages. They can be found once this resolves. */
  readonly upsert: (model: string, passages: readonly Passage[]) => Promise<void>;
  /**
   * Makes a version the indexed one. Returns undefined if the row or its collection's model has
   * changed.
   */
  readonly commit: Batched<IndexedVersion, CommittedVersion | undefined>;
}

const MAX_ROWS = 200;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const RECORD_BYTES = 4 * 1024;
/** Passages per request to the vector store. */
const MAX_PASSAGES = 128;

export function createIndexWrites(db: Pick<PrismaClient, '$queryRaw'>, store: VectorStore): IndexWrites {
  const upserts = new Map<string, Batched<readonly Passage[], void>>();
  return {
    begin: createBatcher({ maxWeight: MAX_ROWS, work: (documents) => begin(db, documents) }),
    readContent: createBatcher({
      maxWeight: MAX_TEXT_BYTES,
      weightOf: ({ sizeBytes }) => sizeBytes + RECORD_BYTES,
      work: async (documents) => {
        const rows = await db.$queryRaw<{ readonly id: string; readonly content: string }[]>`
          SELECT document_id AS id, content FROM document_contents WHERE document_id = ANY(${documents.map(({ id }) => id)})`;
        const byId = new Map(rows.map(({ id, content }) => [id, content]));
        return documents.map(({ id }) => byId.get(id));
      },
    }),
    upsert: (model, passages) => {
      const upsert = upserts.get(model) ?? createUpserts(store, model);
      upserts.set(model, upsert);
      return upsert(passages);
    },
    commit: createBatcher({ maxWeight: MAX_ROWS, work: (versions) => commit(db, versions) }),
  };
}

function createUpserts(store: VectorStore, model: string): Batched<readonly Passage[], void> {
  return createBatcher({
    maxWeight: MAX_PASSAGES,
    weightOf: (passages) => passages.length,
    work: async (batches) => {
      await store.upsertPassages(model, batches.flat());
      return batches.map(() => undefined);
    },
  });
}

// `ORDER BY … FOR UPDATE`: statements that lock several rows lock them in the same order, which
// prevents deadlocks.

async function begin(
  db: Pick<PrismaClient, '$queryRaw'>,
  documents: readonly { readonly id: string; readonly teamId: string }[],
): Promise<(DocumentWithCollection | undefined)[]> {
  const rows = await db.$queryRaw<DocumentColumns[]>`
    WITH open AS (
      SELECT documents.id FROM documents
      JOIN unnest(${documents.map(({ id }) => id)}::text[], ${documents.map(({ teamId }) => teamId)}::text[]) AS requested (id, team_id)
        ON requested.id = documents.id AND requested.team_id = documents.team_id
      WHERE status <> 'deleted' AND indexed_version <> version
      ORDER BY documents.id FOR UPDATE OF documents
    ), d AS (
      UPDATE documents SET status = 'processing', error_code = NULL, error_message = NULL,
        updated_at = CASE WHEN ${IS_REBUILD} THEN updated_at ELSE now() END,
        indexed_at = CASE WHEN ${IS_REBUILD} THEN now() ELSE indexed_at END
      FROM open WHERE documents.id = open.id
      RETURNING documents.*
    )
    SELECT ${DOCUMENT_COLUMNS} FROM d JOIN collections AS c ON c.id = d.collection_id`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return documents.map(({ id }) => {
    const row = byId.get(id);
    return row && fromColumns(row);
  });
}

/**
 * Writes the rows, adds new languages to the collections, and marks the collections in which a
 * document lost a language. Locks collections before documents, like the deletion of a collection.
 * Records an event for each new version that a webhook needs (as `recordEvents` does, in the same
 * statement).
 */
async function commit(
  db: Pick<PrismaClient, '$queryRaw'>,
  versions: readonly IndexedVersion[],
): Promise<(CommittedVersion | undefined)[]> {
  const indexed = versions.map(({ id, version, model, chunkCount, languages }) => ({
    id,
    version,
    model,
    chunk_count: chunkCount,
    languages,
  }));
  const rows = await db.$queryRaw<(CommittedVersion & { readonly version: number })[]>`
    WITH versions AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(indexed)}::jsonb) AS (id text, version int, model text, chunk_count int, languages text[])
    ), changing AS (
      SELECT id FROM collections
      WHERE id IN (
        SELECT c.id FROM versions JOIN documents AS d ON d.id = versions.id AND d.version = versions.version
        JOIN collections AS c ON c.id = d.collection_id
        WHERE NOT c.languages @> versions.languages OR NOT versions.languages @> d.languages)
      ORDER BY id FOR NO KEY UPDATE
    ), open AS (
      SELECT versions.*, NOT collections.languages @> versions.languages AS has_new,
        NOT versions.languages @> documents.languages AS has_lost,
        coalesce(announced_version, CASE WHEN ${IS_REBUILD} THEN documents.version ELSE 0 END) < documents.version AS is_news
      FROM documents JOIN versions ON versions.id = documents.id AND versions.version = documents.version
      JOIN collections ON collections.id = documents.collection_id AND collections.embedding_model = versions.model
      WHERE status = 'processing' AND (SELECT count(*) FROM changing) >= 0
      ORDER BY documents.id FOR UPDATE OF documents
    ), committed AS (
      UPDATE documents AS d
      SET status = 'indexed', indexed_version = open.version, indexed_model = open.model, chunk_count = open.chunk_count,
        indexed_analysis = ${ANALYSIS_VERSION}, indexed_points = ${POINTS_VERSION}, languages = open.languages, indexed_at = now(),
        announced_version = open.version
      FROM open WHERE d.id = open.id
      RETURNING d.id, d.version, d.principals, d.indexed_at, d.updated_at, d.collection_id, d.languages,
        d.team_id, d.connector_id, open.has_new, open.has_lost, open.is_news
    ), recorded AS (
      INSERT INTO event_outbox (team_id, type, resource, collection_ids, data)
      SELECT c.team_id, 'document.indexed', c.id, ARRAY[c.collection_id], jsonb_build_object(
        'id', c.id, 'collectionId', c.collection_id, 'connectorId', c.connector_id, 'version', c.version)
      FROM committed AS c JOIN event_interests AS i ON i.team_id = c.team_id
      WHERE c.is_news AND 'document.indexed' = ANY(i.types)
    ), changed AS (
      UPDATE collections AS c
      SET languages = c.languages || ARRAY(SELECT unnest(change.languages) EXCEPT SELECT unnest(c.languages)),
        languages_stale = c.languages_stale OR change.has_lost
      FROM (
        SELECT collection_id, array_agg(language) FILTER (WHERE language IS NOT NULL) AS languages,
          bool_or(has_lost) AS has_lost
        FROM committed LEFT JOIN LATERAL unnest(committed.languages) AS language ON true
        WHERE has_new OR has_lost GROUP BY collection_id
      ) AS change
      WHERE c.id = change.collection_id
    )
    SELECT id, version, principals, indexed_at AS "indexedAt", updated_at AS "updatedAt" FROM committed`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return versions.map(({ id, version }) => {
    const row = byId.get(id);
    return row?.version === version ? row : undefined;
  });
}
