import { Prisma, type PrismaClient } from '#gen/prisma/client';

/**
 * True if the passages of a row of `documents` must be rebuilt from unchanged text: it was indexed
 * before, and no version counts as indexed now. Such a row keeps `updated_at`, which searches show;
 * `indexed_at` is the time of the last attempt.
 */
export const IS_REBUILD = Prisma.raw(`(documents.indexed_version = 0 AND documents.indexed_at IS NOT NULL)`);

/**
 * Marks indexed documents so that the sweep rebuilds their passages. Returns the ids of those that
 * were indexed.
 */
export async function markForRebuild(
  db: Pick<PrismaClient, '$queryRaw'>,
  documents: readonly { readonly id: string; readonly version: number }[],
): Promise<string[]> {
  const versions = documents.map(({ id, version }) => ({ id, version }));
  const rows = await db.$queryRaw<{ readonly id: string }[]>`
    WITH open AS (
      SELECT documents.id FROM documents
      JOIN jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) AS versions (id text, version int)
        ON versions.id = documents.id AND versions.version = documents.version
      WHERE status = 'indexed'
      ORDER BY documents.id FOR UPDATE OF documents
    )
    UPDATE documents SET status = 'processing', indexed_version = 0 FROM open WHERE documents.id = open.id
    RETURNING documents.id`;
  return rows.map(({ id }) => id);
}
