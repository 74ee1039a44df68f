import { wordId } from '@lectern/embeddings';
import { type AnalyzedQuery, analyzeQuery, type Language } from '@lectern/text';
import type { VectorStore } from '@lectern/vector-store';
import type { CallerScope } from '#handlers/caller-scope';

/** Limits of a lookup, which names all principals and collections for each term. */
const LIMITS = { terms: 200, names: 100_000 } as const;

/**
 * Returns the queries of which readable documents contain every word, so that a suggestion contains no
 * word that the caller cannot find anyway. Only the first queries are looked up, as far as their terms
 * are within the limits; none for a caller with very many principals.
 */
export async function findableQueries(
  store: VectorStore,
  scope: CallerScope,
  queries: readonly string[],
  languages: readonly Language[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names = (scope.principals?.length ?? 0) + scope.collections.length;
  const maxTerms = Math.min(LIMITS.terms, Math.floor(LIMITS.names / Math.max(1, names)));
  const looked = new Set<number>();
  const candidates = queries
    .map((text) => ({ text, words: termsByWord(analyzeQuery(text, { languages })) }))
    .filter(({ words }) => {
      const added = words.flat().filter((id) => !looked.has(id));
      if (looked.size + added.length > maxTerms) return false;
      for (const id of added) looked.add(id);
      return true;
    });
  if (looked.size === 0) return [];
  const ids = [...looked];
  const models = [...Map.groupBy(scope.collections, ({ embeddingModel }) => embeddingModel)];
  const { team, principals, required } = scope;
  const found = await Promise.all(
    models.map(([model, members]) => {
      const collections = members.map(({ id }) => id);
      return store.wordsWithin(model, { team, collections, principals, required, signal, words: ids });
    }),
  );
  const known = new Set(found.flatMap((words) => [...words]));
  return candidates
    .filter(({ words }) => words.length > 0 && words.every((terms) => terms.some((id) => known.has(id))))
    .map(({ text }) => text);
}

/** Returns the ids of the terms of each word. */
const termsByWord = ({ terms }: AnalyzedQuery): readonly (readonly number[])[] =>
  [...Map.groupBy(terms, ({ start }) => start).values()].map((ofWord) => ofWord.map(({ term }) => wordId(term)));
