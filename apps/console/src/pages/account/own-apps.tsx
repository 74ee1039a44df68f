import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { ConnectedApp } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { Ago } from '#ui/ago.tsx';
import { destinationText, ScopeList } from '#ui/app-access.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { QueryView } from '#ui/query-view.tsx';

function AppItem({ app }: { readonly app: ConnectedApp }) {
  const { id, name, publisher, destination, scopes, createdAt, lastUsedAt } = app;
  const disconnect = useChange(() => lectern().client.call('disconnectOwnApp', { path: { id } }), ['own-apps']);
  return (
    <li className="card stack">
      <div className="row row-apart">
        <div className="grow">
          <h3>{name}</h3>
          <p className="muted small">{publisher ?? destinationText(destination)}</p>
          <p className="muted small">
            used <Ago time={lastUsedAt} /> · connected <Ago time={createdAt} />
          </p>
        </div>
        <Confirm
          label="Disconnect"
          question={`Disconnect ${name}?`}
          done={`${name} is disconnected.`}
          mutation={disconnect}
        >
          <p>It loses its access within seconds. To use it again, connect it again.</p>
        </Confirm>
      </div>
      <details>
        <summary>What it may do</summary>
        <ScopeList scopes={scopes} />
      </details>
    </li>
  );
}

/** The apps that act for the person. */
export function OwnApps() {
  const apps = useQuery({
    queryKey: ['own-apps'],
    queryFn: async ({ signal }) => lectern().client.call('listOwnApps', {}, { signal }),
  });
  return (
    <section className="stack" aria-labelledby="account-apps">
      <h2 id="account-apps">Connected apps</h2>
      <QueryView query={apps} what="your connected apps">
        {(items) =>
          items.length === 0 ? (
            <p className="muted">
              No app has access to your account. To connect an assistant, add {location.origin}/mcp to it as an MCP
              server.
            </p>
          ) : (
            <ul className="plain-list">
              {items.map((app) => (
                <AppItem key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}
