import { setImmediate as nextTurn } from 'node:timers/promises';
import { withSpan } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Space } from '#gen/prisma/client';

/**
 * The maximum number of passes over the passages. New passages use the new space already, so the
 * second pass finds almost none.
 */
const MAX_PASSES = 10;

/**
 * Moves all passages of a corpus to its newest space page by page, then retires the older spaces.
 * After a crash it continues with the remaining passages, which the vector store can list.
 */
export function moveToSpace(context: Context, space: Space, signal: AbortSignal): Promise<void> {
  return withSpan('move to space', { 'lectern.space_id': space.id }, async () => {
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      if ((await moveOnce(context, space, signal)) === 0) return retireOthers(context, space);
    }
  });
}

/** Returns whether any passage of the corpus is in another space. */
export async function hasPassagesOutside({ store }: Context, space: Space, signal: AbortSignal): Promise<boolean> {
  const outside = { team: space.teamId, outsideSpace: space.id, signal };
  for await (const page of store.scrollPassages(space.embeddingModel, outside)) return page.length > 0;
  return false;
}

/** Makes one pass and returns the number of passages that it found in other spaces. */
async function moveOnce(context: Context, space: Space, signal: AbortSignal): Promise<number> {
  const { store, spaceEncoder } = context;
  const { teamId: team, embeddingModel } = space;
  let found = 0;
  for await (const page of store.scrollPassages(embeddingModel, { team, outsideSpace: space.id, signal })) {
    const encoder = await spaceEncoder(space.id);
    const passages = page.map(({ id, sparse }) => ({ id, dense: encoder.encodePassage(sparse) }));
    await store.movePassages(embeddingModel, { team, space: space.id, passages, signal });
    found += page.length;
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
