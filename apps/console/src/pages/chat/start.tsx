import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';

const REFRESH_MS = 10_000;

/** What a new question can be about: suggestions, or why there is nothing to ask about yet. */
export function Start({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const suggestions = useQuery({
    queryKey: ['suggestions'],
    queryFn: ({ signal }) => lectern().chat.suggestions({ signal }),
    refetchInterval: ({ state }) => ((state.data?.pendingDocuments ?? 0) > 0 ? REFRESH_MS : false),
  });
  // Questions can be asked without suggestions.
  if (suggestions.data === undefined) return null;
  const { questions, searchable, pendingDocuments } = suggestions.data;
  if (!searchable && pendingDocuments === 0) return <Nothing />;
  return (
    <div className="stack">
      {pendingDocuments === 0 ? null : (
        <p className="notice notice-warn" role="status">
          {t(searchable ? 'chat.pending' : 'chat.preparing', { count: pendingDocuments })}
        </p>
      )}
      {questions.length === 0 ? null : (
        <section className="stack" aria-labelledby="suggestions">
          <h2 id="suggestions" className="small muted">
            {t('chat.suggestions')}
          </h2>
          <ul className="suggestions">
            {questions.map((question) => (
              <li key={question}>
                <Button onClick={() => onAsk(question)}>{question}</Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Nothing() {
  const canAdd = useRole('editor');
  return (
    <Empty title={t('chat.nothing')}>
      {canAdd ? (
        <>
          <p>{t('chat.nothingForEditors')}</p>
          <p>
            <Link href="/collections">{t('chat.toCollections')}</Link>
          </p>
        </>
      ) : (
        <p>{t('chat.nothingForReaders')}</p>
      )}
    </Empty>
  );
}
