import { queryWords } from '@lectern/embeddings';
import { analyzeQuery, hasUnspacedScript } from '@lectern/text';
import type { ScopedRequest, VectorStore } from '@lectern/vector-store';
import { documentsWithPhrase } from '#match/find-phrase';
import { checkExcluded, type ReadingBudget } from '#match/reading-budget';
import { resolveRanges } from '#match/resolve-ranges';
import type { ParsedQuery } from '#query/parse-query';

/**
 * A word that is exactly one term, so the index is enough to find the documents that contain it.
 */
const SIMPLE_WORD = /^[\p{L}\p{N}]+$/u;

/**
 * Returns the documents of one model that a query can match: those of `request` that contain all
 * phrases and no exclusion.
 */
export async function resolveOperators(
  store: VectorStore,
  model: string,
  request: ScopedRequest,
  query: ParsedQuery,
  budget: ReadingBudget,
): Promise<ScopedRequest> {
  const filter = request.filter && (await resolveRanges(store, model, request, request.filter));
  const scope = { ...request, filter };
  const only = await documentsWithAll(store, model, scope, query, budget);
  const narrowed = only === undefined ? scope : { ...scope, only };
  const except = await documentsWithAny(store, model, narrowed, query, budget);
  return except.length === 0 ? narrowed : { ...narrowed, except: [...(narrowed.except ?? []), ...except] };
}

async function documentsWithAll(
  store: VectorStore,
  model: string,
  scope: ScopedRequest,
  { phrases, languages }: ParsedQuery,
  budget: ReadingBudget,
): Promise<readonly string[] | undefined> {
  let only: readonly string[] | undefined;
  for (const phrase of phrases) {
    // Each phrase is searched only in the documents with the previous ones.
    const within = only === undefined ? scope : { ...scope, only };
    const found = await documentsWithPhrase(store, model, within, phrase, languages, budget);
    only = found ?? only;
  }
  return only;
}

async function documentsWithAny(
  store: VectorStore,
  model: string,
  scope: ScopedRequest,
  { excluded, languages }: ParsedQuery,
  budget: ReadingBudget,
): Promise<readonly string[]> {
  const simple = excluded.filter(isSimpleWord);
  const words = simple.flatMap((word) => queryWords(analyzeQuery(word, { languages })).indices);
  const found = new Set<string>();
  if (words.length > 0) {
    const request = { ...scope, words: [words] };
    checkExcluded(await store.countDocuments(model, request), simple);
    for (const document of await store.listDocuments(model, request)) found.add(document);
  }
  for (const phrase of excluded.filter((text) => !isSimpleWord(text))) {
    for (const document of (await documentsWithPhrase(store, model, scope, phrase, languages, budget)) ?? [])
      found.add(document);
  }
  return [...found];
}

function isSimpleWord(text: string): boolean {
  return SIMPLE_WORD.test(text) && !hasUnspacedScript(text);
}
