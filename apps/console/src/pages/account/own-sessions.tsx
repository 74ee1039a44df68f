import { useQuery } from '@tanstack/react-query';
import { endSession } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import type { PersonSession } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

function SessionItem({ session }: { readonly session: PersonSession }) {
  const { id, ip, userAgent, isCurrent, lastSeenAt, createdAt } = session;
  const end = useChange(() => lectern().client.call('endOwnSession', { path: { id } }), ['own-sessions']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>
          {ip} {isCurrent ? <StatusBadge status="this browser" /> : null}
        </h3>
        <p className="muted small">{userAgent ?? t('account.sessions.unknownBrowser')}</p>
        <p className="muted small">
          <RichText
            name="account.sessions.times"
            elements={{ used: <Ago time={lastSeenAt} />, signedIn: <Ago time={createdAt} /> }}
          />
        </p>
        {end.error ? <ErrorNotice error={end.error} /> : null}
      </div>
      {isCurrent ? null : (
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          {t('account.sessions.end')}
        </Button>
      )}
    </li>
  );
}

/** The browsers in which the person is signed in. */
export function OwnSessions() {
  const sessions = useQuery({
    queryKey: ['own-sessions'],
    queryFn: async ({ signal }) => lectern().client.call('listOwnSessions', {}, { signal }),
  });
  const endAll = useChange(() => lectern().client.call('endOwnSessions', {}), [], endSession);
  return (
    <section className="stack" aria-labelledby="account-sessions">
      <div className="row row-apart">
        <h2 id="account-sessions">{t('account.sessions.title')}</h2>
        <Confirm label={t('account.sessions.endAll')} question={t('account.sessions.endAllQuestion')} mutation={endAll}>
          <p>{t('account.sessions.endAllEffect')}</p>
        </Confirm>
      </div>
      <QueryView query={sessions} what={t('account.sessions.what')}>
        {(items) => (
          <ul className="plain-list">
            {items.map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}
