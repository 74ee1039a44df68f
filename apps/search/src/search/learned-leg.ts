import type { DenseEncoder, LsiEncoder } from '@lectern/embeddings';
import { AppError } from '@lectern/service-kit';
import type { SpaceQuery } from '@lectern/vector-store';

/** The space of a model's own encoder, as the collection service names it. */
export const BASE_SPACE = 'base';

/** The spaces that passages are in now, for models that learn spaces from their team's corpus. */
export interface LearnedSpaces {
  /** Newest first; undefined for a model that learns none. */
  idsOf(model: string): readonly string[] | undefined;
  /** Rejects with `not_found` for one that has retired since. */
  encoder(id: string): Promise<LsiEncoder>;
}

/** The query by meaning, once for each space. */
export interface LearnedLeg {
  readonly dense: readonly SpaceQuery[];
  /** What it is worth beside the lexical leg's 1: that of the newest space, which most passages are in or about to be. */
  readonly weight: number;
}

/**
 * Encodes the query in every space that passages are in, so that query and passages always match. A space that retired after it was listed is left
 * out: all that was in it is in a newer one. `readable` are the words that the caller's own documents have, where the caller does not read all: a space is
 * learned from the whole team's passages, and must not reveal which words the other documents contain.
 */
export async function learnedLeg(
  base: DenseEncoder,
  spaces: LearnedSpaces,
  ids: readonly string[],
  text: string,
  readable: ReadonlySet<number> | undefined,
  signal: AbortSignal | undefined,
): Promise<LearnedLeg> {
  const queries = await Promise.all(
    ids.map(async (space) => {
      if (space !== BASE_SPACE) return inSpace(spaces, space, text, readable);
      return { space, vector: await base.embedQuery(text, { signal }), hybridWeight: base.hybridWeight };
    }),
  );
  const dense = queries.filter((query) => query !== undefined);
  return { dense, weight: dense[0]?.hybridWeight ?? 0 };
}

async function inSpace(spaces: LearnedSpaces, space: string, text: string, readable: ReadonlySet<number> | undefined) {
  try {
    const encoder = await spaces.encoder(space);
    return { space, ...encoder.encodeQuery(text, readable) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
