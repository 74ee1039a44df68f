import type { Context } from '#context';
import type { Space } from '#gen/prisma/client';

/** The space of a model's own encoder: where passages are until one learned from their corpus is ready. */
export const BASE_SPACE = 'base';

/** Whether the passages of a model may be in spaces learned from them. A model that is no longer configured is left alone. */
export function learnsSpaces({ denseEncoder }: Pick<Context, 'denseEncoder'>, model: string): boolean {
  try {
    return denseEncoder(model).learnsSpaces === true;
  } catch {
    return false;
  }
}

/** A team's corpus under one embedding model: what a space is learned from. */
export interface Corpus {
  readonly teamId: string;
  readonly embeddingModel: string;
}

/** The learned spaces of a corpus that are ready and not retired, newest first. */
export function readySpaces({ db }: Pick<Context, 'db'>, { teamId, embeddingModel }: Corpus): Promise<Space[]> {
  return db.space.findMany({
    where: { teamId, embeddingModel, status: 'ready' },
    orderBy: [{ readyAt: 'desc' }, { id: 'desc' }],
  });
}

/** The spaces that a corpus's passages may be in now, newest first: what a search has to look into, and no other. */
export async function activeSpaces(context: Pick<Context, 'db'>, corpus: Corpus): Promise<string[]> {
  const ready = await readySpaces(context, corpus);
  const learned = ready.map(({ id }) => id);
  // The oldest of them took over from the base space, unless everything was in it before the newer ones came.
  const oldest = ready.at(-1);
  return oldest === undefined || oldest.movedAt === null ? [...learned, BASE_SPACE] : learned;
}
