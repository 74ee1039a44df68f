import type { DenseQuery } from '@lectern/vector-store';
import { learnedLeg } from '#search/learned-leg';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** What the dense encoder contributes to a search. */
export interface DenseLeg {
  /** Zeros leave the leg out. */
  readonly dense: DenseQuery;
  /** What it is worth beside the lexical leg's 1. */
  readonly weight: number;
}

const LEFT_OUT: DenseLeg = { dense: [], weight: 1 };

/** The query's vector, or one for each of the spaces that the model's passages are in. */
export async function denseLeg(
  { denseEncoder }: Pick<SearchDeps, 'denseEncoder'>,
  { query: { text }, spaces }: Pick<SearchQuery, 'query' | 'spaces'>,
  model: string,
  signal: AbortSignal | undefined,
): Promise<DenseLeg> {
  const encoder = denseEncoder(model);
  const ids = spaces?.idsOf(model);
  if (spaces && ids) return learnedLeg(encoder, spaces, ids, text, signal);
  return { dense: await encoder.embedQuery(text, { signal }), weight: encoder.hybridWeight };
}

/**
 * The same, or a leg that is left out where the model's provider fails or is not configured any more: a hybrid search then still answers, by words,
 * and the reason is logged.
 */
export async function denseLegIfPossible(
  deps: Pick<SearchDeps, 'denseEncoder' | 'log'>,
  query: Pick<SearchQuery, 'query' | 'spaces'>,
  model: string,
  signal: AbortSignal | undefined,
): Promise<DenseLeg> {
  try {
    return await denseLeg(deps, query, model, signal);
  } catch (err) {
    signal?.throwIfAborted();
    deps.log?.warn({ err, model }, 'searching by words alone: the query could not be embedded');
    return LEFT_OUT;
  }
}
