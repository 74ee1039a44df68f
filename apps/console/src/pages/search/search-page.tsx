import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { DidYouMean } from '#pages/search/did-you-mean.tsx';
import { Facets } from '#pages/search/facets.tsx';
import { NoResults } from '#pages/search/no-results.tsx';
import { QuerySuggestions } from '#pages/search/query-suggestions.tsx';
import { ResultItem } from '#pages/search/result-item.tsx';
import { ResultOptions } from '#pages/search/result-options.tsx';
import { SavedSearchesList } from '#pages/search/saved-searches-list.tsx';
import { searchRequest } from '#pages/search/search-request.ts';
import { MODES, SORTS, useSearchState } from '#pages/search/use-search-state.ts';
import { useTypedQuery } from '#pages/search/use-typed-query.ts';
import { useRole, useSession } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Collapsible } from '#ui/collapsible.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';

/** The maximum length of the words of a search rule. */
const MAX_RULE_QUERY = 200;

/** Searches everything that the key can access. Lists the newest documents without a query. */
export default function SearchPage() {
  const [state, setState] = useSearchState();
  // Search analytics count typing once for a person, and all searches of a key.
  const isLive = useSession().person !== null;
  const { typed, type, submit } = useTypedQuery(state.query, setState, isLive);
  const suggestionsId = useId();
  const [opened, setOpened] = useState<Opened>();
  const canPin = useRole('editor');
  const collections = useCollections();
  const body = searchRequest(state);
  const search = useQuery({
    queryKey: ['search', body],
    queryFn: ({ signal }) => lectern().client.answer('searchFaceted', { body }, { signal }),
    placeholderData: keepPreviousData,
  });
  // Only the first page names the search.
  const queryId = useRef<string | null>(null);
  const lastQuery = useRef('');
  useEffect(() => {
    const found = search.data?.data;
    if (found === undefined) return;
    if (found.queryId !== null || found.query !== lastQuery.current) queryId.current = found.queryId;
    lastQuery.current = found.query;
  }, [search.data]);
  const openResult = (result: Opened, index: number) => {
    setOpened(result);
    if (queryId.current === null || search.data === undefined) return;
    const { page, limit } = search.data.meta;
    const rank = (page - 1) * limit + index + 1;
    // Analytics must not disturb the search.
    lectern()
      .search.recordClick({ queryId: queryId.current, rank })
      .catch(() => undefined);
  };
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name ?? id;

  return (
    <>
      <PageHead title={t('search.title')} />
      <search>
        <form
          className="search-form"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextField
            label={t('search.field')}
            type="search"
            value={typed}
            onChange={type}
            placeholder={t('search.placeholder')}
            maxLength={2_000}
            list={suggestionsId}
            autoFocus
          />
          <QuerySuggestions id={suggestionsId} typed={typed} />
          <SelectField
            label={t('search.mode')}
            value={state.mode}
            options={MODES.map((mode) => ({ value: mode, label: t(`search.modes.${mode}`) }))}
            onChange={(chosen) => setState({ mode: MODES.find((mode) => mode === chosen) ?? 'hybrid' })}
          />
          <SelectField
            label={t('search.sort')}
            value={state.sort}
            options={SORTS.map((sort) => ({ value: sort, label: t(`search.sorts.${sort}`) }))}
            onChange={(chosen) => setState({ sort: SORTS.find((sort) => sort === chosen) ?? 'relevance' })}
          />
        </form>
      </search>
      {search.error ? <ErrorNotice error={search.error} onRetry={() => search.refetch()} /> : null}
      {search.isPending ? <Loading what={t('search.what')} /> : null}
      {search.data ? (
        <div className="with-side">
          <aside aria-label={t('search.filters')}>
            <Collapsible label={t('search.saved.title')}>
              <SavedSearchesList state={state} />
            </Collapsible>
            <Collapsible label={t('search.filters')}>
              {state.sort === 'relevance' ? <ResultOptions state={state} onChange={setState} /> : null}
              <Facets
                facets={search.data.data.facets}
                chosen={state.chosen}
                nameOf={nameOf}
                onChoose={(chosen) => setState({ chosen })}
              />
            </Collapsible>
          </aside>
          <section className="stack" aria-label={t('search.results')} aria-busy={search.isFetching}>
            <p className="muted" role="status">
              {search.isPlaceholderData
                ? t('search.searching')
                : t('search.found', { count: search.data.meta.total, tookMs: search.data.data.tookMs })}
            </p>
            {search.isPlaceholderData ? null : (
              <DidYouMean query={search.data.data.didYouMean} onChoose={(query) => setState({ query })} />
            )}
            {search.data.data.results.length === 0 ? (
              // The earlier search had no results.
              search.isPlaceholderData ? null : (
                <NoResults state={state} onChange={setState} />
              )
            ) : (
              <ul className="plain-list">
                {search.data.data.results.map((result, index) => (
                  <ResultItem
                    key={result.documentId}
                    result={result}
                    isRanked={state.query !== ''}
                    onOpen={(chosen) => openResult(chosen, index)}
                  />
                ))}
              </ul>
            )}
            {canPin && state.query !== '' && state.query.length <= MAX_RULE_QUERY ? (
              <p className="small">
                <Link href={`/search-rules?add=${encodeURIComponent(state.query)}`}>{t('search.pin')}</Link>
              </p>
            ) : null}
            <Pager page={search.data.meta} onPage={(page) => setState({ page })} />
          </section>
        </div>
      ) : null}
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
