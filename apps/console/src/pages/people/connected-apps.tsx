import { lectern } from '#api/lectern.ts';
import type { TeamConnectedApp } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { Ago } from '#ui/ago.tsx';
import { destinationText } from '#ui/app-access.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Listing } from '#ui/listing.tsx';

function AppItem({ app }: { readonly app: TeamConnectedApp }) {
  const { id, name, publisher, destination, person, scopes, createdAt, lastUsedAt } = app;
  const disconnect = useChange(() => lectern().client.call('disconnectApp', { path: { id } }), ['apps']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>{name}</h3>
        <p className="muted small">
          for {person.name} ({person.email}) · {publisher ?? destinationText(destination)}
        </p>
        <p className="muted small">
          {scopes.join(', ')} · used <Ago time={lastUsedAt} /> · connected <Ago time={createdAt} />
        </p>
      </div>
      <Confirm
        label="Disconnect"
        question={`Disconnect ${name} of ${person.name}?`}
        done={`${name} is disconnected.`}
        mutation={disconnect}
      >
        <p>It loses its access within seconds. {person.name} can connect it again.</p>
      </Confirm>
    </li>
  );
}

/** The apps that act for people of the team. */
export function ConnectedApps() {
  const apps = usePaged(['apps'], (page, options) =>
    lectern().client.list('listApps', { query: { page, limit: 20 } }, options),
  );
  return (
    <section className="stack" aria-labelledby="people-apps">
      <h2 id="people-apps">Connected apps</h2>
      <Listing paging={apps} what="connected apps" empty={<p className="muted">No connected apps.</p>}>
        {(items) => (
          <ul className="plain-list">
            {items.map((app) => (
              <AppItem key={app.id} app={app} />
            ))}
          </ul>
        )}
      </Listing>
    </section>
  );
}
