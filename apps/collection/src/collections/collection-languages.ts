import type { Context } from '#context';
import type { PrismaClient } from '#gen/prisma/client';

/** The first analysis version that records the languages of documents. */
const RECORDED_SINCE = 2;

/** Collections to count in one round. */
const BATCH = 100;

type Database = Pick<PrismaClient, '$executeRaw' | '$queryRaw'>;

/** What indexing a document changes in the languages of its collection. */
export interface LanguageChange {
  readonly collectionId: string;
  /** The languages of the document's passages. */
  readonly languages: readonly string[];
  /** Whether the document had a language before that it no longer has. */
  readonly hasLost: boolean;
}

/** Adds the languages of new documents to their collections, and marks collections to count again. */
export async function changeLanguages(db: Database, changes: readonly LanguageChange[]): Promise<void> {
  const byCollection = [...Map.groupBy(changes, ({ collectionId }) => collectionId)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  for (const [id, ofCollection] of byCollection) {
    const languages = [...new Set(ofCollection.flatMap((change) => change.languages))];
    const hasLost = ofCollection.some((change) => change.hasLost);
    await db.$executeRaw`
      UPDATE collections
      SET languages = languages || ARRAY(SELECT unnest(${languages}::text[]) EXCEPT SELECT unnest(languages)),
        languages_stale = languages_stale OR ${hasLost}
      WHERE id = ${id}`;
  }
}

/** Marks collections whose documents were deleted: a language may be gone. */
export async function markLanguagesStale(db: Database, collectionIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    UPDATE collections SET languages_stale = true WHERE id = ANY(${[...new Set(collectionIds)]}) AND NOT languages_stale`;
}

/**
 * Counts the languages of marked collections again. A collection stays marked while documents are
 * being indexed, or wait to be analyzed by rules that record their languages.
 */
export async function recountLanguages({ db }: Pick<Context, 'db'>): Promise<number> {
  const stale = await db.$queryRaw<{ readonly id: string }[]>`
    SELECT id FROM collections WHERE languages_stale AND deleted_at IS NULL ORDER BY id LIMIT ${BATCH}`;
  for (const { id } of stale) {
    await db.$executeRaw`
      WITH live AS (
        SELECT languages, status, indexed_version > 0 AND indexed_analysis < ${RECORDED_SINCE} AS is_unknown
        FROM documents WHERE collection_id = ${id} AND status <> 'deleted'
      ), counted AS (
        SELECT language, count(*) AS documents FROM live, unnest(live.languages) AS language GROUP BY language
      )
      UPDATE collections
      SET languages = ARRAY(SELECT language FROM counted ORDER BY documents DESC, language),
        languages_known = NOT EXISTS (SELECT FROM live WHERE is_unknown),
        languages_stale = EXISTS (SELECT FROM live WHERE is_unknown OR status = 'processing')
      WHERE id = ${id}`;
  }
  return stale.length;
}
