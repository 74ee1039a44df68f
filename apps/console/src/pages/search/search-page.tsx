import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Facets } from '#pages/search/facets.tsx';
import { ResultItem } from '#pages/search/result-item.tsx';
import { ResultOptions } from '#pages/search/result-options.tsx';
import { searchRequest } from '#pages/search/search-request.ts';
import { FACET_FIELDS, MODES, useSearchState } from '#pages/search/use-search-state.ts';
import { Button } from '#ui/button.tsx';
import { Collapsible } from '#ui/collapsible.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { SelectField, TextField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { plural } from '#ui/plural.ts';

const MODE_LABELS = { hybrid: 'Hybrid', keyword: 'Keyword', semantic: 'Semantic' };

/** Searches everything that the key can access. Lists the newest documents without a query. */
export default function SearchPage() {
  const [state, setState] = useSearchState();
  const [typed, setTyped] = useState(state.query);
  const [opened, setOpened] = useState<Opened>();
  const collections = useCollections();
  useEffect(() => setTyped(state.query), [state.query]);
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
  const isUnfiltered = FACET_FIELDS.every((field) => state.chosen[field].length === 0);
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name ?? id;

  function submit(event: FormEvent) {
    event.preventDefault();
    setState({ query: typed.trim() });
  }

  return (
    <>
      <PageHead title="Search" />
      <search>
        <form className="search-form" onSubmit={submit}>
          <TextField
            label="Search for"
            type="search"
            value={typed}
            onChange={setTyped}
            placeholder='Keywords, a question, "an exact phrase", -excluded'
            maxLength={2_000}
            autoFocus
          />
          <SelectField
            label="Mode"
            value={state.mode}
            options={MODES.map((mode) => ({ value: mode, label: MODE_LABELS[mode] }))}
            onChange={(chosen) => setState({ mode: MODES.find((mode) => mode === chosen) ?? 'hybrid' })}
          />
          {/* Never disabled, so that Enter works while a search is running. */}
          <Button type="submit" isPrimary>
            Search
          </Button>
        </form>
      </search>
      {search.error ? <ErrorNotice error={search.error} onRetry={() => search.refetch()} /> : null}
      {search.isPending ? <Loading what="results" /> : null}
      {search.data ? (
        <div className="with-side">
          <aside aria-label="Filters">
            <Collapsible label="Filters">
              <ResultOptions state={state} onChange={setState} />
              <Facets
                facets={search.data.data.facets}
                chosen={state.chosen}
                nameOf={nameOf}
                onChoose={(chosen) => setState({ chosen })}
              />
            </Collapsible>
          </aside>
          <section className="stack" aria-label="Results" aria-busy={search.isFetching}>
            <p className="muted" role="status">
              {plural(search.data.meta.total, 'document')} in {search.data.data.tookMs} ms
            </p>
            {search.data.data.results.length === 0 ? (
              <Empty title={isUnfiltered && state.query === '' ? 'No documents yet' : 'No documents match'}>
                <p>
                  {isUnfiltered && state.query === '' ? (
                    <Link href="/collections">Upload files to a collection</Link>
                  ) : (
                    'Try different keywords or clear the filters.'
                  )}
                </p>
              </Empty>
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
            <Pager page={search.data.meta} onPage={(page) => setState({ page })} />
          </section>
        </div>
      ) : null}
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
