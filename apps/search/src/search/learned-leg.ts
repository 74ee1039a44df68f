import { type DenseEncoder, type LsiEncoder, learnedSimilarity, type Similarity } from '@lectern/embeddings';
import { AppError } from '@lectern/service-kit';
import type { AnalyzedQuery } from '@lectern/text';
import { type HybridSearch, learnedRanking, type SpaceQuery } from '@lectern/vector-store';

/** The space of a model's own encoder. The collection service uses the same name. */
export const BASE_SPACE = 'base';

/** The current spaces of passages, for models that learn spaces from their team's corpus. */
export interface LearnedSpaces {
  /** Newest first; undefined for a model without learned spaces. */
  idsOf(model: string): readonly string[] | undefined;
  /** Rejects with `not_found` if the space was retired. */
  encoder(id: string): Promise<LsiEncoder>;
}

interface SpaceLeg extends SpaceQuery {
  readonly similarity: Similarity;
  readonly ranking: LegRanking;
}

/** The query's vectors, one per space. */
export interface LearnedLeg {
  readonly dense: readonly SpaceQuery[];
  /** What the cosines of each space mean. */
  readonly similarities: ReadonlyMap<string, Similarity>;
  /**
   * The weights that follow from the newest space, which most passages are in or will be soon.
   */
  readonly ranking: LegRanking;
}

/** The part of a hybrid search that depends on the semantic leg. */
export type LegRanking = Pick<HybridSearch, 'weights' | 'feedback'>;

/**
 * Encodes the query in every space that passages are in, so that query and passages always match. A
 * space retired since it was listed is left out: its passages are in a newer one. `readable` are
 * the words of the documents that the caller can read, if those are not all: a space is learned
 * from all passages of the team and must not reveal words of the others.
 */
export async function learnedLeg(
  base: DenseEncoder,
  spaces: LearnedSpaces,
  ids: readonly string[],
  query: AnalyzedQuery,
  readable: ReadonlySet<number> | undefined,
  signal: AbortSignal | undefined,
): Promise<LearnedLeg> {
  const queries = await Promise.all(
    ids.map(async (space): Promise<SpaceLeg | undefined> => {
      if (space !== BASE_SPACE) return inSpace(spaces, space, query, readable);
      const vector = await base.embedQuery(query.text, { signal });
      const { hybridWeight: semantic, similarity } = base;
      return { space, vector, similarity, ranking: { weights: { keyword: 1, semantic } } };
    }),
  );
  const dense = queries.filter((query) => query !== undefined);
  const similarities = new Map(dense.map(({ space, similarity }) => [space, similarity]));
  return { dense, similarities, ranking: dense[0]?.ranking ?? {} };
}

async function inSpace(
  spaces: LearnedSpaces,
  space: string,
  query: AnalyzedQuery,
  readable: ReadonlySet<number> | undefined,
): Promise<SpaceLeg | undefined> {
  try {
    const encoder = await spaces.encoder(space);
    const { vector, known } = encoder.encodeQuery(query, readable);
    return { space, vector, similarity: learnedSimilarity(known), ranking: learnedRanking(known) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
