import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callPage } from '#api/request.ts';
import type { AgentRun } from '#api/types.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { Pager } from '#ui/pager.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

/** The runs of an agent that were kept, the newest first. */
export function RunHistory({ agentId }: { readonly agentId: string }) {
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: ['runs', agentId, page],
    queryFn: ({ signal }) =>
      callPage<readonly AgentRun[]>('GET', `/api/v1/agents/${agentId}/runs`, { query: { page, limit: 10 }, signal }),
    placeholderData: keepPreviousData,
  });
  if (list.error) return <ErrorNotice error={list.error} onRetry={() => list.refetch()} />;
  if (list.data === undefined) return <Loading what="runs" />;
  if (list.data.items.length === 0) return <Empty title="It has not been run yet" />;
  return (
    <div className="stack">
      <ul className="plain-list">
        {list.data.items.map(({ id, status, message, content, startedAt }) => (
          <li key={id} className="card">
            <p className="row">
              <StatusBadge status={status} />
              <strong>{message}</strong>
              <span className="muted small">
                <Ago time={startedAt} />
              </span>
            </p>
            {content ? <p className="clamp">{content}</p> : null}
          </li>
        ))}
      </ul>
      <Pager meta={list.data.meta} onPage={setPage} />
    </div>
  );
}
