import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { ConnectedApp } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { destinationText, ScopeList } from '#ui/app-access.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';

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
            <RichText
              name="account.apps.times"
              elements={{ used: <Ago time={lastUsedAt} />, connected: <Ago time={createdAt} /> }}
            />
          </p>
        </div>
        <Confirm
          label={t('account.apps.disconnect')}
          question={t('account.apps.disconnectQuestion', { name })}
          done={t('account.apps.disconnected', { name })}
          mutation={disconnect}
        >
          <p>{t('account.apps.disconnectEffect')}</p>
        </Confirm>
      </div>
      <details>
        <summary>{t('account.apps.scopes')}</summary>
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
      <h2 id="account-apps">{t('account.apps.title')}</h2>
      <QueryView query={apps} what={t('account.apps.what')}>
        {(items) =>
          items.length === 0 ? (
            <p className="muted">{t('account.apps.none', { url: `${location.origin}/mcp` })}</p>
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
