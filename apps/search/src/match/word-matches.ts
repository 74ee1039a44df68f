import {
  documentKey,
  type RankedDocuments,
  type ScopedRequest,
  type VectorStore,
  type WordGroup,
} from '@lectern/vector-store';

interface Candidate {
  /** The key of its document. */
  readonly key: string;
}

/**
 * Returns whether a candidate has a word of the query, or all words of a synonym: a ranking also
 * finds documents with some words of a synonym. Without such synonyms, all candidates found by words
 * match.
 */
export async function wordMatches(
  store: VectorStore,
  model: string,
  { team, collections, principals, required, signal }: ScopedRequest,
  alternatives: WordGroup,
  { firstPassages }: Pick<RankedDocuments, 'firstPassages'>,
  candidates: readonly Candidate[],
): Promise<(candidate: Candidate) => boolean> {
  const isSimple = alternatives.every((alternative) => typeof alternative === 'number');
  if (isSimple || candidates.length === 0) return () => true;
  const onlyFirst = firstPassages(candidates.map(({ key }) => key));
  const request = { team, collections, principals, required, signal, onlyFirst, words: [alternatives] };
  const matching = new Set((await store.listDocuments(model, request)).map(documentKey));
  return ({ key }) => matching.has(key);
}
