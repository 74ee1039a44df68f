import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callPage } from '#api/request.ts';
import type { AuditEvent } from '#api/types.ts';
import { useSession } from '#session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { momentText } from '#ui/time-text.ts';

/** What was managed, by which key, when and from where. */
export default function AuditPage() {
  const { allow_all_collections: mayRead } = useSession();
  const [page, setPage] = useState(1);
  const [action, setAction] = useState('');
  const [resourceId, setResourceId] = useState('');
  const list = useQuery({
    queryKey: ['audit', page, action, resourceId],
    queryFn: ({ signal }) =>
      callPage<readonly AuditEvent[]>('GET', '/api/v1/audit', {
        query: { page, limit: 25, action, resourceId },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: mayRead,
  });
  const filter = (set: (value: string) => void) => (value: string) => {
    setPage(1);
    set(value.trim());
  };
  if (!mayRead) {
    return (
      <>
        <PageHead title="Audit" />
        <Empty title="This key may not read the audit log">
          <p>Sign in with a key that reaches all collections.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Audit" intro="Every change that was made through the API." />
      <div className="form-grid">
        <TextField label="Action" value={action} onChange={filter(setAction)} placeholder="createConnector" />
        <TextField label="Id of what was changed" value={resourceId} onChange={filter(setResourceId)} />
      </div>
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="the log" /> : null}
      {list.data?.items.length === 0 ? <Empty title="Nothing was found" /> : null}
      {list.data && list.data.items.length > 0 ? (
        <div className="table-wrap">
          <table className="table-cards">
            <caption className="visually-hidden">Audit log</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Action</th>
                <th scope="col">Of</th>
                <th scope="col">By</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {list.data.items.map(({ id, createdAt, action: done, resource, actor, ip }) => (
                <tr key={id}>
                  <td data-label="When">{momentText(createdAt)}</td>
                  <td data-label="Action">{done}</td>
                  <td data-label="Of">
                    {resource.type.replaceAll('_', ' ')} <code>{resource.id}</code>
                  </td>
                  <td data-label="By">
                    <code>{actor.keyId}</code> {actor.user}
                  </td>
                  <td data-label="From">{ip}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
    </>
  );
}
