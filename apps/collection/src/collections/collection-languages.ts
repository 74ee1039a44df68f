import type { Context } from '#context';
import { Prisma, type PrismaClient } from '#gen/prisma/client';

/**
 * Documents whose languages will be recorded: an analysis before version 2 indexed them, and they
 * are analyzed or indexed again. One without progress for an hour does not count. The first line is
 * that of the index `documents_unknown_languages_idx`.
 */
const IS_UNKNOWN = Prisma.sql`
  indexed_version > 0 AND indexed_analysis < 2 AND status <> 'deleted'
  AND indexed_model IS NOT NULL AND (status IN ('indexed', 'failed') OR updated_at > now() - interval '1 hour')`;

/** Documents that wait to be indexed. Their languages may change. */
const IS_WAITING = Prisma.sql`status IN ('pending', 'processing')`;

/** Collections to count in one round. */
const BATCH = 100;

/** How often to count a collection with documents that wait to be indexed. */
const BUSY_INTERVAL_MS = 60_000;

/** Marks collections whose documents were deleted: a language may be gone. */
export async function markLanguagesStale(
  db: Pick<PrismaClient, '$executeRaw'>,
  collectionIds: readonly string[],
): Promise<void> {
  await db.$executeRaw`
    WITH marked AS (
      SELECT id FROM collections WHERE id = ANY(${[...new Set(collectionIds)]}) ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE collections SET languages_stale = true FROM marked WHERE collections.id = marked.id`;
}

/**
 * Creates a round that counts the languages of marked collections again. A collection stays marked
 * while documents wait to be indexed, and is then counted once a minute. If its languages are
 * unknown, it is counted when its documents have been analyzed by rules that record them.
 */
export function createLanguageCounter({ db }: Pick<Context, 'db'>): () => Promise<number> {
  const countedAt = new Map<string, number>();
  return async () => {
    const now = performance.now();
    for (const [id, at] of countedAt) if (now - at >= BUSY_INTERVAL_MS) countedAt.delete(id);
    const stale = await db.$queryRaw<{ readonly id: string }[]>`
      SELECT id FROM collections AS c
      WHERE languages_stale AND deleted_at IS NULL
        AND (languages_known OR NOT EXISTS (SELECT FROM documents WHERE collection_id = c.id AND ${IS_UNKNOWN}))
        AND (id <> ALL(${[...countedAt.keys()]}::text[])
          OR NOT EXISTS (SELECT FROM documents WHERE collection_id = c.id AND ${IS_WAITING}))
      ORDER BY id LIMIT ${BATCH}`;
    for (const { id } of stale) {
      await countLanguages(db, id);
      countedAt.set(id, now);
    }
    return stale.length;
  };
}

/** Locks the row before it reads the documents, so that a language that is added meanwhile is not lost. */
async function countLanguages(db: Pick<PrismaClient, '$executeRaw' | '$transaction'>, id: string): Promise<void> {
  await db.$transaction([
    db.$executeRaw`SELECT FROM collections WHERE id = ${id} FOR NO KEY UPDATE`,
    db.$executeRaw`
      WITH live AS (
        SELECT languages, ${IS_UNKNOWN} AS is_unknown, ${IS_WAITING} AS is_waiting
        FROM documents WHERE collection_id = ${id} AND status <> 'deleted'
      ), counted AS (
        SELECT language, count(*) AS documents FROM live, unnest(live.languages) AS language GROUP BY language
      )
      UPDATE collections
      SET languages = ARRAY(SELECT language FROM counted ORDER BY documents DESC, language),
        languages_known = NOT EXISTS (SELECT FROM live WHERE is_unknown),
        languages_stale = EXISTS (SELECT FROM live WHERE is_unknown OR is_waiting)
      WHERE id = ${id}`,
  ]);
}
