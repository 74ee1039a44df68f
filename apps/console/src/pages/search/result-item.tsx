import type { SearchResult } from '#api/types.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { cleanExcerpt, plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { Highlighted } from '#pages/search/highlighted.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { RichText } from '#ui/rich-text.tsx';

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
        {collectionName} · {source} · <RichText name="search.updated" elements={{ ago: <Ago time={updatedAt} /> }} />
        {isRanked && relevance > 0 ? ` · ${t('search.relevance', { percent: Math.round(relevance * 100) })}` : ''}
        {pinned ? ` · ${t('search.pinned')}` : ''}
      </p>
      {synonyms.length === 0 ? null : (
        <p className="muted small">
          {t('search.synonyms', { synonyms: synonyms.map(({ from, to }) => `${from} → ${to}`).join(', ') })}
        </p>
      )}
      {more.length === 0 ? null : (
        <details>
          <summary>{t('search.morePassages', { count: more.length })}</summary>
          <ul className="sources">
            {more.map((passage) => (
              <li key={passage.start}>
                <button type="button" className="link-button" onClick={() => open(passage.text, passage.start)}>
                  {passage.heading || t('search.openPassage')}
                </button>
                <p className="clamp small">{plainExcerpt(passage.text)}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
      {duplicateCount === 0 ? null : (
        <details>
          <summary>{t('search.duplicates', { count: duplicateCount })}</summary>
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
                  {duplicate.collectionName} · {duplicate.source} ·{' '}
                  <RichText name="search.updated" elements={{ ago: <Ago time={duplicate.updatedAt} /> }} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
