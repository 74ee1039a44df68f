import { Link } from 'wouter';
import { type ChangeSearch, hasFilters, NO_FILTERS, type SearchState } from '#pages/search/use-search-state.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';

const MAX_LINKED = 2_000;

/** What to try when no document matches. */
export function NoResults({
  state: { query, mode, chosen },
  onChange,
}: {
  readonly state: SearchState;
  readonly onChange: ChangeSearch;
}) {
  const isFiltered = hasFilters(chosen);
  if (query === '' && !isFiltered) {
    return (
      <Empty title={t('search.noDocuments')}>
        <p>
          <Link href="/collections">{t('search.upload')}</Link>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title={t('search.noMatch')}>
      <p>{t('search.noMatchHint')}</p>
      <div className="row">
        {isFiltered ? (
          <Button onClick={() => onChange({ chosen: NO_FILTERS })}>{t('search.clearTheFilters')}</Button>
        ) : null}
        {mode === 'hybrid' || query === '' ? null : (
          <Button onClick={() => onChange({ mode: 'hybrid' })}>{t('search.searchHybrid')}</Button>
        )}
        {query === '' ? null : (
          <Link className="button" href={`/ask?q=${encodeURIComponent(query.slice(0, MAX_LINKED))}`}>
            {t('search.ask')}
          </Link>
        )}
      </div>
    </Empty>
  );
}
