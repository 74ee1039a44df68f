import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import { readerText } from '#pages/documents/reader-text.ts';
import { t } from '#texts/texts.ts';

const MAX_SHOWN = 50;

/** Who can read a document and why. Shows nothing to people who may not know it. */
export function Readers({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ['document', id, 'record'],
    queryFn: ({ signal }) => lectern().documents.get(id, { signal }),
  });
  const principals = data?.principals ?? null;
  if (data === undefined || principals === null) return null;
  return (
    <details>
      <summary>{t('documents.readers.title')}</summary>
      <div className="stack">
        <ul>
          {principals.slice(0, MAX_SHOWN).map((principal) => (
            <li key={principal}>{readerText(principal)}</li>
          ))}
        </ul>
        {principals.length > MAX_SHOWN ? (
          <p className="muted small">{t('documents.readers.more', { number: principals.length - MAX_SHOWN })}</p>
        ) : null}
        {principals.length === 0 ? <p>{t('documents.readers.none')}</p> : null}
        <p className="muted small">
          {t(data.connector === null ? 'documents.readers.fromForm' : 'documents.readers.fromSource')}
        </p>
      </div>
    </details>
  );
}
