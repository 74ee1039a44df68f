import { startLsiTraining } from '@lectern/embeddings';
import { newId, withSpan } from '@lectern/service-kit';
import { ANALYSIS_VERSION } from '@lectern/text';
import type { Context } from '#context';
import { Prisma, type Space } from '#gen/prisma/client';
import type { Corpus } from '#spaces/active-spaces';
import { type CorpusSize, isUpToDate } from '#spaces/is-due';

/**
 * Creates the row of a space to learn from a corpus. If the words of its passages follow older
 * analysis rules, so does the space. Returns undefined if another process created it at the same
 * time.
 */
export async function beginSpace({ db }: Context, corpus: Corpus, size: CorpusSize): Promise<Space | undefined> {
  const { passages } = size;
  const analysis = isUpToDate(size) ? ANALYSIS_VERSION : ANALYSIS_VERSION - 1;
  try {
    return await db.space.create({ data: { id: newId('space'), ...corpus, passages, analysis } });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return undefined;
    throw error;
  }
}

/**
 * Learns a space from a random sample of the corpus in a thread and makes it ready. If the process
 * is killed, the training starts again: only the last step stores anything except the row.
 */
export function trainSpace(context: Context, space: Space, signal: AbortSignal): Promise<void> {
  return withSpan('train space', { 'lectern.space_id': space.id }, async () => {
    const { db, store, log } = context;
    const startedAt = performance.now();
    const training = startLsiTraining({ signal });
    try {
      for await (const passages of store.scrollPassages(space.embeddingModel, { team: space.teamId, signal })) {
        if (!(await training.add(passages))) break;
      }
      const { bytes, passages: trainedOn, terms } = await training.learn();
      await db.$transaction(async (tx) => {
        // Only one training can make it ready, because the bytes behind stored vectors must never
        // change.
        const { count } = await tx.space.updateMany({
          where: { id: space.id, status: 'training' },
          data: { status: 'ready', readyAt: new Date(), trainedOn, terms },
        });
        if (count > 0) await tx.spaceContent.create({ data: { spaceId: space.id, bytes } });
      });
      const took = { tookMs: Math.round(performance.now() - startedAt), bytes: bytes.byteLength };
      log.info({ spaceId: space.id, trainedOn, terms, ...took }, 'trained an embedding space');
    } finally {
      await training.close();
    }
  });
}
