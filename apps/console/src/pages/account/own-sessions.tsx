import { useQuery } from '@tanstack/react-query';
import { endSession } from '#api/key-store.ts';
import { lectern } from '#api/lectern.ts';
import type { PersonSession } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { QueryView } from '#ui/query-view.tsx';
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
        <p className="muted small">{userAgent ?? 'Unknown browser'}</p>
        <p className="muted small">
          used <Ago time={lastSeenAt} /> · signed in <Ago time={createdAt} />
        </p>
        {end.error ? <ErrorNotice error={end.error} /> : null}
      </div>
      {isCurrent ? null : (
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          End
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
        <h2 id="account-sessions">Sessions</h2>
        <Confirm label="Sign out everywhere" question="Sign out everywhere?" mutation={endAll}>
          <p>All browsers are signed out within seconds, including this one, and connected apps lose their access.</p>
        </Confirm>
      </div>
      <QueryView query={sessions} what="your sessions">
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
