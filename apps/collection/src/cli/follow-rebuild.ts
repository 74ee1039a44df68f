import { setTimeout as delay } from 'node:timers/promises';
import type { PrismaClient } from '#gen/prisma/client';
import { IS_REBUILD } from '#reconcile/rebuild';

const LOOK_EVERY_MS = 1_000;

/** How far a rebuild is. */
export interface Progress {
  readonly left: number;
  readonly failed: number;
}

/** Documents whose passages are still to be made anew, and those for which that failed. */
export async function progressOf(db: Pick<PrismaClient, '$queryRaw'>): Promise<Progress> {
  const [row] = await db.$queryRaw<Progress[]>`
    SELECT count(*) FILTER (WHERE status IN ('pending', 'processing'))::int AS left, count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM documents WHERE ${IS_REBUILD} AND status IN ('pending', 'processing', 'failed')`;
  return row ?? { left: 0, failed: 0 };
}

/**
 * Waits until no passages are left to be made anew, telling each change. Throws where nothing has moved for `stallMs`: then no collection service
 * works on this database.
 */
export async function followRebuild(
  db: Pick<PrismaClient, '$queryRaw'>,
  { stallMs, onProgress }: { readonly stallMs: number; readonly onProgress: (progress: Progress) => void },
): Promise<Progress> {
  let last: Progress | undefined;
  for (let movedAt = Date.now(); ; await delay(LOOK_EVERY_MS)) {
    const now = await progressOf(db);
    if (now.left !== last?.left) {
      movedAt = Date.now();
      onProgress(now);
    }
    last = now;
    if (now.left === 0) return now;
    if (Date.now() - movedAt > stallMs)
      throw new Error(
        `${now.left} documents are still to be indexed, and none was for ${Math.round(stallMs / 1000)} s. Is the collection service running, and can it reach the vector store? Its log says. Nothing is lost: it goes on by itself, and \`reindex --watch\` follows it.`,
      );
  }
}
