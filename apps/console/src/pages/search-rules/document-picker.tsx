import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';

const MAX_FOUND = 5;
const MAX_LIMIT = 100;

/** Finds documents to pin or hide. */
export function DocumentPicker({
  named,
  onPin,
  onHide,
}: {
  /** The documents that the rule names already. */
  readonly named: readonly string[];
  readonly onPin: (id: string) => void;
  readonly onHide: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const query = text.trim();
  const found = useQuery({
    queryKey: ['documents-to-pin', query],
    queryFn: ({ signal }) =>
      lectern().search.site({ query, limit: Math.min(MAX_LIMIT, MAX_FOUND + named.length), rules: false }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const results = (found.data?.results ?? []).filter(({ documentId }) => !named.includes(documentId));
  return (
    <div className="stack">
      <TextField
        label={t('searchRules.findDocument')}
        type="search"
        value={text}
        onChange={setText}
        maxLength={2_000}
        hint={t('searchRules.findDocumentHint')}
      />
      {found.error ? <ErrorNotice error={found.error} /> : null}
      {query === '' ? null : (
        <ul className="sources" aria-label={t('searchRules.documentsFound')}>
          {results.slice(0, MAX_FOUND).map(({ documentId, title, collectionName }) => (
            <li key={documentId} className="row row-apart">
              <span className="grow">
                {title} <span className="muted small">{collectionName}</span>
              </span>
              <Button type="button" onClick={() => onPin(documentId)} aria-label={t('searchRules.pinNamed', { title })}>
                {t('searchRules.pin')}
              </Button>
              <Button
                type="button"
                onClick={() => onHide(documentId)}
                aria-label={t('searchRules.hideNamed', { title })}
              >
                {t('searchRules.hide')}
              </Button>
            </li>
          ))}
          {found.data && !found.isPlaceholderData && results.length === 0 ? (
            <li className="muted">{t('searchRules.noDocument')}</li>
          ) : null}
        </ul>
      )}
    </div>
  );
}
