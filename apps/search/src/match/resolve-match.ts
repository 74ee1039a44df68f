import { queryWords } from '@lectern/embeddings';
import type { DocumentsRequest, ScopedRequest, VectorStore } from '@lectern/vector-store';
import { documentsWithPhrase } from '#match/find-phrase';
import { checkExcluded, type ReadingBudget } from '#match/reading-budget';
import { resolveRanges } from '#match/resolve-ranges';
import type { ParsedQuery } from '#query/parse-query';
import type { SearchMode } from '#search/search-query';

/** A word that is one term and no more, so that the index alone tells which documents have it. */
const SIMPLE_WORD = /^[\p{L}\p{N}]+$/u;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The documents of one model that a query matches, as a request that counts, lists and facets them: those within what is `asked` that hold all phrases and
 * nothing that is excluded; by keyword, also at least one word of the query. By meaning every document is nearer or farther, so all match.
 */
export async function resolveMatch(
  store: VectorStore,
  model: string,
  asked: ScopedRequest,
  query: ParsedQuery,
  mode: SearchMode,
  budget: ReadingBudget,
): Promise<DocumentsRequest> {
  const filter = asked.filter && (await resolveRanges(store, model, asked, asked.filter));
  const reach = { ...asked, filter };
  const only = await documentsWithAll(store, model, reach, query.phrases, budget);
  const narrowed = only === undefined ? reach : { ...reach, only };
  const except = await documentsWithAny(store, model, narrowed, query.excluded, budget);
  const matched = except.length === 0 ? narrowed : { ...narrowed, except };
  if (mode !== 'keyword' || query.text === '') return matched;
  return { ...matched, words: [queryWords(query.text).indices] };
}

async function documentsWithAll(
  store: VectorStore,
  model: string,
  reach: ScopedRequest,
  phrases: readonly string[],
  budget: ReadingBudget,
): Promise<readonly string[] | undefined> {
  let only: readonly string[] | undefined;
  for (const phrase of phrases) {
    // Each phrase is looked for among the documents that hold the ones before it.
    const within = only === undefined ? reach : { ...reach, only };
    const found = await documentsWithPhrase(store, model, within, phrase, budget);
    only = found ?? only;
  }
  return only;
}

async function documentsWithAny(
  store: VectorStore,
  model: string,
  reach: ScopedRequest,
  excluded: readonly string[],
  budget: ReadingBudget,
): Promise<readonly string[]> {
  const simple = excluded.filter(isSimpleWord);
  const words = simple.flatMap((word) => queryWords(word).indices);
  const found = new Set<string>();
  if (words.length > 0) {
    const request = { ...reach, words: [words] };
    checkExcluded(await store.countDocuments(model, request), simple);
    for (const document of await store.listDocuments(model, request)) found.add(document);
  }
  for (const phrase of excluded.filter((text) => !isSimpleWord(text))) {
    for (const document of (await documentsWithPhrase(store, model, reach, phrase, budget)) ?? []) found.add(document);
  }
  return [...found];
}

function isSimpleWord(text: string): boolean {
  return SIMPLE_WORD.test(text) && !UNSPACED.test(text);
}
