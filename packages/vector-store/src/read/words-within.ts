import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { type Scope, ScopedFilter } from '#scope/scoped-filter';

export interface WordsRequest extends Scope, CallOptions {
  /** Ids of words, at most a few hundred. */
  readonly words: readonly number[];
}

/**
 * Returns the words that occur in any passage of a scope, with one posting-list lookup per word.
 */
export async function wordsWithin(
  connection: QdrantConnection,
  collection: string,
  { words, signal, ...scope }: WordsRequest,
): Promise<ReadonlySet<number>> {
  const filter = ScopedFilter.within(scope);
  if (filter.matchesNothing || words.length === 0) return new Set();
  const searches = words.map((word) => ({
    query: { indices: [word], values: [1] },
    using: VECTORS.sparse,
    filter: filter.toQdrant(),
    limit: 1,
    with_payload: false,
  }));
  const responses = await connection.read('words within', REQUESTS.queryBatch(collection, searches), {
    signal,
    ifMissing: () => [],
  });
  return new Set(words.filter((_word, at) => (responses[at]?.points.length ?? 0) > 0));
}
