import { Link, useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { typeSpec } from '#pages/connectors/connector-fields.ts';
import { SourceLogo } from '#pages/connectors/source-logo.tsx';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const REFRESH_MS = 4_000;

/** The connectors with their status. */
export default function ConnectorsPage() {
  const [params] = useSearchParams();
  const collections = useCollections();
  const paging = usePaged(
    ['connectors', 'list'],
    (page, options) => lectern().connectors.list({ page, limit: 24 }, options),
    { refresh: { everyMs: REFRESH_MS, while: (items) => items.some(({ status }) => status === 'syncing') } },
  );
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name;
  return (
    <>
      <PageHead title={t('connectors.title')} intro={t('connectors.intro')}>
        <Link href="/connectors/new" className="button button-primary">
          {t('connectors.new')}
        </Link>
      </PageHead>
      <OAuthOutcome status={params.get('status')} />
      <Listing
        paging={paging}
        what={t('connectors.what.connectors')}
        empty={
          <Empty title={t('connectors.none')}>
            <p>{t('connectors.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="cards">
            {items.map(({ id, name, type, status, statusReason, collection, lastSync }) => (
              <li className="card" key={id}>
                <div className="row">
                  <SourceLogo type={type} />
                  <h2>
                    <Link href={`/connectors/${id}`}>{name}</Link>
                  </h2>
                </div>
                <p className="row">
                  <StatusBadge status={status} /> <span className="muted">{typeSpec(type)?.label ?? type}</span>
                </p>
                {statusReason ? <p className="field-error">{statusReason}</p> : null}
                <p className="muted small">
                  <Place collection={nameOf(collection)} lastSync={lastSync} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
}

/** The collection, if its name is known, and the last sync. */
function Place({
  collection,
  lastSync,
}: {
  readonly collection: string | undefined;
  readonly lastSync: string | null;
}) {
  const elements = { ago: <Ago time={lastSync} /> };
  if (collection === undefined) return <RichText name="connectors.lastSync" elements={elements} />;
  return <RichText name="connectors.place" values={{ name: collection }} elements={elements} />;
}

/** The result of an authorization after the redirect from the provider. */
function OAuthOutcome({ status }: { readonly status: string | null }) {
  if (status === 'success')
    return (
      <p className="notice notice-good" role="status">
        {t('connectors.authorized')}
      </p>
    );
  if (status === 'error')
    return (
      <p className="notice notice-error" role="alert">
        {t('connectors.notAuthorized')}
      </p>
    );
  return null;
}
