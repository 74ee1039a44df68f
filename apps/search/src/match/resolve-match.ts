import { queryWords } from '@lectern/embeddings';
import type { DocumentsRequest, ScopedRequest, VectorStore } from '@lectern/vector-store';
import { documentsWithPhrase, wordGroups } from '#match/find-phrase';
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
): Promise<DocumentsRequest> {
  const filter = asked.filter && (await resolveRanges(store, model, asked, asked.filter));
  const reach = { ...asked, filter };
  const only = await documentsWithAll(store, model, reach, query.phrases);
  const narrowed = only === undefined ? reach : { ...reach, only };
  const except = await documentsWithAny(store, model, narrowed, query.excluded);
  const matched = except.length === 0 ? narrowed : { ...narrowed, except };
  if (mode !== 'keyword' || query.text === '') return matched;
  return { ...matched, words: [queryWords(query.text).indices] };
}

async function documentsWithAll(
  store: VectorStore,
  model: string,
  reach: ScopedRequest,
  phrases: readonly string[],
): Promise<readonly string[] | undefined> {
  let only: readonly string[] | undefined;
  for (const phrase of phrases) {
    // Each phrase is looked for among the documents that hold the ones before it.
    const found = await documentsWithPhrase(store, model, only === undefined ? reach : { ...reach, only }, phrase);
    only = found ?? only;
  }
  return only;
}

async function documentsWithAny(
  store: VectorStore,
  model: string,
  reach: ScopedRequest,
  excluded: readonly string[],
): Promise<readonly string[]> {
  const words = excluded.filter(isSimpleWord).flatMap((word) => wordGroups(word).flat());
  const phrases = excluded.filter((text) => !isSimpleWord(text));
  const found = await Promise.all([
    words.length === 0 ? [] : store.listDocuments(model, { ...reach, words: [words] }),
    ...phrases.map((phrase) => documentsWithPhrase(store, model, reach, phrase)),
  ]);
  return [...new Set(found.flatMap((documents) => documents ?? []))];
}

function isSimpleWord(text: string): boolean {
  return SIMPLE_WORD.test(text) && !UNSPACED.test(text);
}
