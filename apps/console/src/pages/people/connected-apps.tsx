import { lectern } from '#api/lectern.ts';
import type { TeamConnectedApp } from '#api/types.ts';
import { useChange } from '#api/use-change.ts';
import { usePaged } from '#api/use-paged.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { destinationText } from '#ui/app-access.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Listing } from '#ui/listing.tsx';
import { RichText } from '#ui/rich-text.tsx';

function AppItem({ app }: { readonly app: TeamConnectedApp }) {
  const { id, name, publisher, destination, person, scopes, createdAt, lastUsedAt } = app;
  const disconnect = useChange(() => lectern().client.call('disconnectApp', { path: { id } }), ['apps']);
  return (
    <li className="card row row-apart">
      <div className="grow">
        <h3>{name}</h3>
        <p className="muted small">
          {t('people.apps.of', {
            name: person.name,
            email: person.email,
            publisher: publisher ?? destinationText(destination),
          })}
        </p>
        <p className="muted small">
          <RichText
            name="people.apps.scopesAndTimes"
            values={{ scopes: scopes.join(', ') }}
            elements={{ used: <Ago time={lastUsedAt} />, connected: <Ago time={createdAt} /> }}
          />
        </p>
      </div>
      <Confirm
        label={t('people.apps.disconnect')}
        question={t('people.apps.disconnectQuestion', { app: name, person: person.name })}
        done={t('people.apps.disconnected', { app: name })}
        mutation={disconnect}
      >
        <p>{t('people.apps.disconnectEffect', { person: person.name })}</p>
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
      <h2 id="people-apps">{t('people.tabs.apps')}</h2>
      <Listing paging={apps} what={t('people.apps.what')} empty={<p className="muted">{t('people.apps.none')}</p>}>
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
