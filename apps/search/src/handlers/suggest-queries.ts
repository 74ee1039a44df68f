import type { SuggestQueriesRequest } from '@lectern/contracts';
import { type Issue, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { searchDocsSite } from '#docs-site/search-docs-site';
import { typedWords } from '#docs-site/typed-words';
import { WordEvidence } from '#docs-site/word-evidence';
import { languagesOf, withinScope } from '#handlers/caller-scope';
import { SEARCH_LIMITS } from '#limits';
import { analyzeOperators, literally } from '#query/parse-query';
import { curationFor } from '#rules/curation-for';
import { findableQueries } from '#suggestions/findable-queries';
import { fold } from '#words/words';

/** Completes the text typed so far: with queries that find something, then with titles. */
export const suggestQueries = (context: Context) => async (request: SuggestQueriesRequest, call: ServiceCall) => {
  const { text, limit } = readRequest(request);
  return withinScope(context, request.collectionIds, call, async (scope) => {
    const languages = languagesOf(scope.collections);
    const { hidden } = await curationFor(context, analyzeOperators(literally(text), languages), scope, call);
    const [queries, { hits }] = await Promise.all([
      findableQueries(context.store, scope, request.candidates, languages, call.signal),
      searchDocsSite(
        context,
        { ...scope, text, limit: SEARCH_LIMITS.suggestions.max, languages, except: hidden },
        call.signal,
      ),
    ]);
    const evidence = new WordEvidence(typedWords(text, languages));
    const titles = hits
      .map(({ document, payload }) => ({ text: payload.title, documentId: document }))
      .filter(({ text: title }) => title.trim() !== '' && evidence.in(title).every((certainty) => certainty > 0));
    const suggestions = onceByText([...queries.map((query) => ({ text: query, documentId: undefined })), ...titles]);
    return { suggestions: suggestions.slice(0, limit) };
  });
};

function onceByText<S extends { readonly text: string }>(suggestions: readonly S[]): readonly S[] {
  const seen = new Set<string>();
  return suggestions.filter(({ text }) => {
    const key = fold(text.trim());
    return !seen.has(key) && seen.add(key);
  });
}

function readRequest({ query, limit, candidates }: SuggestQueriesRequest) {
  const issues: Issue[] = [];
  if (query.trim() === '') issues.push({ path: 'query', message: 'must not be empty' });
  if ([...query].length > SEARCH_LIMITS.query) {
    issues.push({ path: 'query', message: `must have at most ${SEARCH_LIMITS.query} characters` });
  }
  const { max } = SEARCH_LIMITS.suggestions;
  if (candidates.length > max) issues.push({ path: 'candidates', message: `must have at most ${max} queries` });
  if (issues.length > 0) throw invalidRequest(issues);
  return { text: query, limit: limit < 1 ? SEARCH_LIMITS.suggestions.default : Math.min(limit, max) };
}
