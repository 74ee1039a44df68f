import type { SearchDeps } from '#search/search-model';

/** What the dense encoder contributes to a hybrid search. */
export interface DenseLeg {
  /** Zeros leave the leg out. */
  readonly dense: Float32Array;
  /** What it is worth beside the lexical leg's 1. */
  readonly weight: number;
}

const LEFT_OUT: DenseLeg = { dense: new Float32Array(1), weight: 1 };

/**
 * The query's vector, or a leg that is left out where the model's provider fails or is not configured any more: a hybrid search then still answers,
 * by words, and the reason is logged.
 */
export async function denseLeg(
  { denseEncoder, log }: Pick<SearchDeps, 'denseEncoder' | 'log'>,
  model: string,
  text: string,
  signal: AbortSignal | undefined,
): Promise<DenseLeg> {
  try {
    const encoder = denseEncoder(model);
    return { dense: await encoder.embedQuery(text, { signal }), weight: encoder.hybridWeight };
  } catch (err) {
    signal?.throwIfAborted();
    log?.warn({ err, model }, 'searching by words alone: the query could not be embedded');
    return LEFT_OUT;
  }
}
