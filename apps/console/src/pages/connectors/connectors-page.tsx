import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { callPage } from '#api/request.ts';
import type { Connector } from '#api/types.ts';
import { useCollections } from '#pages/collections/use-collections.ts';
import { typeSpec } from '#pages/connectors/connector-fields.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const REFRESH_MS = 4_000;

/** The connectors, with the state of each. */
export default function ConnectorsPage() {
  const [page, setPage] = useState(1);
  const [params] = useSearchParams();
  const collections = useCollections();
  const list = useQuery({
    queryKey: ['connectors', 'list', page],
    queryFn: ({ signal }) =>
      callPage<readonly Connector[]>('GET', '/api/v1/connectors', { query: { page, limit: 24 }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'syncing') ? REFRESH_MS : false),
  });
  const nameOf = (id: string) => collections.data?.find((collection) => collection.id === id)?.name ?? id;
  return (
    <>
      <PageHead title="Connectors" intro="Sources whose documents are kept in step with a collection.">
        <Link href="/connectors/new" className="button button-primary">
          New connector
        </Link>
      </PageHead>
      <OAuthOutcome status={params.get('status')} />
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="connectors" /> : null}
      {list.data?.items.length === 0 ? (
        <Empty title="There are no connectors yet">
          <p>Connect a source, or upload files in a collection.</p>
        </Empty>
      ) : null}
      <ul className="cards">
        {list.data?.items.map(({ id, name, type, status, statusReason, collection, lastSync }) => (
          <li className="card" key={id}>
            <h2>
              <Link href={`/connectors/${id}`}>{name}</Link>
            </h2>
            <p className="row">
              <StatusBadge status={status} /> <span className="muted">{typeSpec(type)?.label ?? type}</span>
            </p>
            {statusReason ? <p className="field-error">{statusReason}</p> : null}
            <p className="muted small">
              into {nameOf(collection)} · synced <Ago time={lastSync} />
            </p>
          </li>
        ))}
      </ul>
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
    </>
  );
}

/** How an authorisation ended, where the provider has just sent the user back. */
function OAuthOutcome({ status }: { readonly status: string | null }) {
  if (status === 'success')
    return <p className="notice notice-good">The source is authorised. Its first sync can begin.</p>;
  if (status === 'error')
    return <p className="notice notice-error">The source was not authorised. Open the connector to try again.</p>;
  return null;
}
