import { Link } from 'wouter';
import { type ChangeSearch, hasFilters, NO_FILTERS, type SearchState } from '#pages/search/use-search-state.ts';
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
      <Empty title="No documents yet">
        <p>
          <Link href="/collections">Upload files to a collection</Link>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No documents match">
      <p>Use fewer or other words, and check the spelling. Names and numbers must occur in the documents.</p>
      <div className="row">
        {isFiltered ? <Button onClick={() => onChange({ chosen: NO_FILTERS })}>Clear the filters</Button> : null}
        {mode === 'hybrid' || query === '' ? null : (
          <Button onClick={() => onChange({ mode: 'hybrid' })}>Search by words and meaning</Button>
        )}
        {query === '' ? null : (
          <Link className="button" href={`/ask?q=${encodeURIComponent(query.slice(0, MAX_LINKED))}`}>
            Ask it as a question
          </Link>
        )}
      </div>
    </Empty>
  );
}
