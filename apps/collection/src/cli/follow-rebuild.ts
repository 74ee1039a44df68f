import { setTimeout as delay } from 'node:timers/promises';
import type { PrismaClient } from '#gen/prisma/client';
import { IS_REBUILD } from '#reconcile/rebuild';

const POLL_MS = 1_000;

/** The progress of a rebuild. */
export interface Progress {
  readonly remaining: number;
  readonly failed: number;
}

/** Counts the documents whose passages are not rebuilt yet, and those that failed. */
export async function progressOf(db: Pick<PrismaClient, '$queryRaw'>): Promise<Progress> {
  const [row] = await db.$queryRaw<Progress[]>`
    SELECT count(*) FILTER (WHERE status IN ('pending', 'processing'))::int AS remaining, count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM documents WHERE ${IS_REBUILD} AND status IN ('pending', 'processing', 'failed')`;
  return row ?? { remaining: 0, failed: 0 };
}

/**
 * Waits until all passages are rebuilt and reports each change. Throws if nothing changes for
 * `stallMs`, because then no collection service is working on this database.
 */
export async function followRebuild(
  db: Pick<PrismaClient, '$queryRaw'>,
  { stallMs, onProgress }: { readonly stallMs: number; readonly onProgress: (progress: Progress) => void },
): Promise<Progress> {
  let last: Progress | undefined;
  for (let changedAt = Date.now(); ; await delay(POLL_MS)) {
    const now = await progressOf(db);
    if (now.remaining !== last?.remaining) {
      changedAt = Date.now();
      onProgress(now);
    }
    last = now;
    if (now.remaining === 0) return now;
    if (Date.now() - changedAt > stallMs)
      throw new Error(
        `${now.remaining} documents are not indexed yet, and no document was indexed in the last ${Math.round(stallMs / 1000)} s. Check that the collection service is running and can reach the vector store; its log shows errors. Nothing is lost: indexing resumes automatically, and \`reindex --watch\` shows the progress.`,
      );
  }
}
