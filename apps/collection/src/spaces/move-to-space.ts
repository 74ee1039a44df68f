import { setImmediate as nextTurn } from 'node:timers/promises';
import type { createPace } from '@lectern/resilience';
import { withSpan } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Space } from '#gen/prisma/client';

/**
 * The maximum number of passes over the passages. New passages use the new space already, so the
 * second pass finds almost none.
 */
const MAX_PASSES = 10;

/** The seconds that a move takes at its rate before other corpora have their turn. */
const MOVE_SECONDS = 10;

/**
 * Moves the passages of a corpus to its newest space page by page, then retires the older spaces. The
 * pace bounds the rate (SPACE_MOVE_PER_SECOND): Qdrant rebuilds its index behind the moves, and
 * searches would share the processor with that.
 * One call moves what the rate allows in ten seconds. The next one continues with the remaining
 * passages, which the vector store can list; after a crash too.
 */
export function moveToSpace(
  context: Context,
  space: Space,
  pace: ReturnType<typeof createPace>,
  signal: AbortSignal,
): Promise<void> {
  return withSpan('move to space', { 'lectern.space_id': space.id }, async () => {
    let left = MOVE_SECONDS * context.config.SPACE_MOVE_PER_SECOND;
    for (let pass = 0; pass < MAX_PASSES && left > 0; pass++) {
      const found = await moveOnce(context, space, { pace, limit: left }, signal);
      if (found === 0) return retireOthers(context, space);
      left -= found;
    }
  });
}

/** Returns whether any passage of the corpus is in another space. */
export async function hasPassagesOutside({ store }: Context, space: Space, signal: AbortSignal): Promise<boolean> {
  const outside = { team: space.teamId, outsideSpace: space.id, signal };
  for await (const page of store.scrollPassages(space.embeddingModel, outside)) return page.length > 0;
  return false;
}

interface Pass {
  readonly pace: ReturnType<typeof createPace>;
  /** Passages after which the pass ends, at the end of their page. */
  readonly limit: number;
}

/** Makes one pass and returns the number of passages that it found in other spaces. */
async function moveOnce(context: Context, space: Space, { pace, limit }: Pass, signal: AbortSignal): Promise<number> {
  const { store, spaceEncoder } = context;
  const { teamId: team, embeddingModel } = space;
  let found = 0;
  for await (const page of store.scrollPassages(embeddingModel, { team, outsideSpace: space.id, signal })) {
    await pace(page.length, signal);
    const encoder = await spaceEncoder(space.id);
    const passages = page.map(({ id, sparse }) => ({ id, dense: encoder.encodePassage(sparse) }));
    await store.movePassages(embeddingModel, { team, space: space.id, passages, signal });
    found += page.length;
    if (found >= limit) break;
    await nextTurn();
  }
  return found;
}

async function retireOthers({ db, log }: Context, { id, teamId, embeddingModel, movedAt }: Space): Promise<void> {
  if (movedAt !== null) return;
  const others = { teamId, embeddingModel, status: 'ready', id: { not: id } } as const;
  const [, , { count }] = await db.$transaction([
    db.spaceContent.deleteMany({ where: { space: others } }),
    db.space.update({ where: { id }, data: { movedAt: new Date() } }),
    db.space.updateMany({ where: others, data: { status: 'retired' } }),
  ]);
  log.info({ spaceId: id, retired: count }, 'moved all passages to the new space');
}
