import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { Person } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** The browsers in which a person is signed in. */
export function SessionList({ person: { id, name } }: { readonly person: Person }) {
  const sessions = useQuery({
    queryKey: ['sessions', id],
    queryFn: async ({ signal }) => lectern().people.sessions(id, { signal }),
  });
  const end = useChange(() => lectern().people.endSessions(id), ['sessions']);
  return (
    <QueryView query={sessions} what={t('people.sessions.what')}>
      {(items) =>
        items.length === 0 ? (
          <p className="muted">{t('people.sessions.none', { name })}</p>
        ) : (
          <div className="stack">
            <ul className="plain-list">
              {items.map((session) => (
                <li className="card" key={session.id}>
                  <h3>
                    {session.ip} {session.isCurrent ? <StatusBadge status="current session" /> : null}
                  </h3>
                  <p className="muted small">{session.userAgent ?? t('people.sessions.unknownBrowser')}</p>
                  <p className="muted small">
                    <RichText
                      name="people.sessions.times"
                      elements={{
                        used: <Ago time={session.lastSeenAt} />,
                        signedIn: <Ago time={session.createdAt} />,
                      }}
                    />
                  </p>
                </li>
              ))}
            </ul>
            <div className="row row-end">
              <Confirm
                label={t('people.sessions.endAll')}
                question={t('people.sessions.endAllQuestion', { name })}
                done={t('people.sessions.ended', { name })}
                mutation={end}
              >
                <p>{t('people.sessions.endAllEffect')}</p>
              </Confirm>
            </div>
          </div>
        )
      }
    </QueryView>
  );
}
