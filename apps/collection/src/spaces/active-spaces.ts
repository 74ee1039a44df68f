import type { Context } from '#context';
import type { Space } from '#gen/prisma/client';

/** The space of a model's own encoder, for passages until a learned space is ready. */
export const BASE_SPACE = 'base';

/**
 * Returns whether the passages of a model can be in learned spaces. False for a model that is no
 * longer configured.
 */
export function learnsSpaces({ denseEncoder }: Pick<Context, 'denseEncoder'>, model: string): boolean {
  try {
    return denseEncoder(model).learnsSpaces === true;
  } catch {
    return false;
  }
}

/** A team's passages under one embedding model, from which a space is learned. */
export interface Corpus {
  readonly teamId: string;
  readonly embeddingModel: string;
}

/** Returns the learned spaces of a corpus that are ready and not retired, newest first. */
export function readySpaces({ db }: Pick<Context, 'db'>, { teamId, embeddingModel }: Corpus): Promise<Space[]> {
  return db.space.findMany({
    where: { teamId, embeddingModel, status: 'ready' },
    orderBy: [{ readyAt: 'desc' }, { id: 'desc' }],
  });
}

/**
 * Returns the spaces that a corpus's passages can be in, newest first: exactly those that a search
 * must use. `ready` are its ready spaces, newest first.
 */
export function activeSpaces(ready: readonly { readonly id: string; readonly isMoved: boolean }[]): string[] {
  const learned = ready.map(({ id }) => id);
  // The base space still counts unless all passages had moved to the oldest of these before the
  // newer ones were ready.
  return ready.at(-1)?.isMoved === true ? learned : [...learned, BASE_SPACE];
}
