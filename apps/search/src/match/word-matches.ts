import type { ScopedRequest, VectorStore, WordGroup } from '@lectern/vector-store';

interface Candidate {
  readonly document: string;
}

/**
 * Returns whether a candidate has a word of the query, or all words of a synonym: a ranking also
 * finds documents with some words of a synonym. Without such synonyms, all candidates found by words
 * match.
 */
export async function wordMatches(
  store: VectorStore,
  model: string,
  { team, collections, principals, signal }: ScopedRequest,
  alternatives: WordGroup,
  candidates: readonly Candidate[],
): Promise<(candidate: Candidate) => boolean> {
  const isSimple = alternatives.every((alternative) => typeof alternative === 'number');
  if (isSimple || candidates.length === 0) return () => true;
  const only = [...new Set(candidates.map(({ document }) => document))];
  const request = { team, collections, principals, signal, only, words: [alternatives] };
  const matching = new Set(await store.listDocuments(model, request));
  return ({ document }) => matching.has(document);
}
