import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { Person } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Ago } from '#ui/ago.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** The browsers in which a person is signed in. */
export function SessionList({ person: { id, name } }: { readonly person: Person }) {
  const sessions = useQuery({
    queryKey: ['sessions', id],
    queryFn: async ({ signal }) => lectern().people.sessions(id, { signal }),
  });
  const end = useChange(() => lectern().people.endSessions(id), ['sessions']);
  return (
    <QueryView query={sessions} what="sessions">
      {(items) =>
        items.length === 0 ? (
          <p className="muted">{name} is not signed in anywhere.</p>
        ) : (
          <div className="stack">
            <ul className="plain-list">
              {items.map((session) => (
                <li className="card" key={session.id}>
                  <h3>
                    {session.ip} {session.isCurrent ? <StatusBadge status="current session" /> : null}
                  </h3>
                  <p className="muted small">{session.userAgent ?? 'Unknown browser'}</p>
                  <p className="muted small">
                    used <Ago time={session.lastSeenAt} /> · signed in <Ago time={session.createdAt} />
                  </p>
                </li>
              ))}
            </ul>
            <div className="row row-end">
              <Confirm
                label="End all sessions"
                question={`Sign ${name} out everywhere?`}
                done={`${name} is signed out everywhere.`}
                mutation={end}
              >
                <p>All browsers are signed out within seconds, and connected apps lose their access.</p>
              </Confirm>
            </div>
          </div>
        )
      }
    </QueryView>
  );
}
