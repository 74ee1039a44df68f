import type { SearchResult } from '#api/types.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { cleanExcerpt, plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { Highlighted } from '#pages/search/highlighted.tsx';
import { Ago } from '#ui/ago.tsx';
import { plural } from '#ui/plural.ts';

const percent = (share: number) => `${Math.round(share * 100)}%`;

/** A search result with its best passage, source and relevance. */
export function ResultItem({
  result,
  isRanked,
  onOpen,
}: {
  readonly result: SearchResult;
  /** False for a list without a query, in which all documents are equally relevant. */
  readonly isRanked: boolean;
  readonly onOpen: (opened: Opened) => void;
}) {
  const {
    documentId,
    title,
    excerpt,
    highlights,
    collectionName,
    source,
    updatedAt,
    relevance,
    passages,
    duplicates,
    duplicateCount,
    synonyms,
    pinned,
  } = result;
  const open = (quote: string, offset?: number) =>
    onOpen({ id: documentId, title, quote, ...(offset === undefined ? {} : { offset }) });
  const more = passages.slice(1);
  const shown = cleanExcerpt(excerpt, highlights);
  return (
    <li className="card result">
      <h2 className="result-title">
        <button type="button" className="link-button" onClick={() => open(excerpt)}>
          {title}
        </button>
      </h2>
      <p>
        <Highlighted text={shown.text} spans={shown.highlights} />
      </p>
      <p className="muted small">
        {collectionName} · {source} · updated <Ago time={updatedAt} />
        {isRanked && relevance > 0 ? ` · relevance ${percent(relevance)}` : ''}
        {pinned ? ' · pinned by a search rule' : ''}
      </p>
      {synonyms.length === 0 ? null : (
        <p className="muted small">Synonyms: {synonyms.map(({ from, to }) => `${from} → ${to}`).join(', ')}</p>
      )}
      {more.length === 0 ? null : (
        <details>
          <summary>{plural(more.length, 'more passage')}</summary>
          <ul className="sources">
            {more.map((passage) => (
              <li key={passage.start}>
                <button type="button" className="link-button" onClick={() => open(passage.text, passage.start)}>
                  {passage.heading || 'Open passage'}
                </button>
                <p className="clamp small">{plainExcerpt(passage.text)}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
      {duplicateCount === 0 ? null : (
        <details>
          <summary>{plural(duplicateCount, 'near-duplicate')}</summary>
          <ul className="sources">
            {duplicates.map((duplicate) => (
              <li key={duplicate.documentId}>
                <button
                  type="button"
                  className="link-button"
                  onClick={() => onOpen({ id: duplicate.documentId, title: duplicate.title })}
                >
                  {duplicate.title}
                </button>
                <p className="muted small">
                  {duplicate.collectionName} · {duplicate.source} · updated <Ago time={duplicate.updatedAt} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
