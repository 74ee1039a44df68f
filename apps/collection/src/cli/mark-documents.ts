import type { PrismaClient } from '#gen/prisma/client';
import { markForRebuild } from '#reconcile/rebuild';

const BATCH = 1_000;
const ONE_XID_ROUND = 4_294_967_296n;

/**
 * The documents to mark: all indexed ones, or those whose row, or whose team's learned spaces, were
 * written by a later transaction.
 */
export interface MarkOptions {
  /**
   * A full transaction id (`pg_snapshot_xmin`) of this database, or of the one whose files it was
   * copied from.
   */
  readonly sinceTransaction?: bigint | undefined;
  readonly onBatch?: (marked: number) => void;
}

/**
 * Marks documents whose passages the collection service then rebuilds from their stored texts in
 * the background. Returns their number.
 */
export async function markDocuments(
  db: Pick<PrismaClient, '$queryRaw'>,
  { sinceTransaction, onBatch }: MarkOptions = {},
): Promise<number> {
  // Rows store the last 32 bits of their transaction's id; `age` compares such numbers.
  const since = sinceTransaction === undefined ? null : String(sinceTransaction % ONE_XID_ROUND);
  let marked = 0;
  let after = '';
  for (;;) {
    const rows = await db.$queryRaw<{ readonly id: string; readonly version: number }[]>`
      SELECT id, version FROM documents AS d
      WHERE status = 'indexed' AND id > ${after} AND (
        ${since}::text IS NULL OR age(d.xmin) <= age((${since}::text)::xid)
        OR EXISTS (SELECT FROM spaces AS s WHERE s.team_id = d.team_id AND age(s.xmin) <= age((${since}::text)::xid)))
      ORDER BY id LIMIT ${BATCH}`;
    const last = rows.at(-1);
    if (last === undefined) return marked;
    after = last.id;
    marked += (await markForRebuild(db, rows)).length;
    onBatch?.(marked);
  }
}
