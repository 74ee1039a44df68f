import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callPage } from '#api/request.ts';
import type { SyncJob } from '#api/types.ts';
import { JobErrors } from '#pages/connectors/job-progress.tsx';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { Pager } from '#ui/pager.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

function tookText({ startedAt, completedAt }: SyncJob): string {
  if (startedAt === null || completedAt === null) return '';
  return ` · took ${((Date.parse(completedAt) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`;
}

/** A connector's jobs, the newest first, each with its counts and errors. */
export function JobHistory({ connectorId }: { readonly connectorId: string }) {
  const [page, setPage] = useState(1);
  const list = useQuery({
    queryKey: ['jobs', connectorId, page],
    queryFn: ({ signal }) =>
      callPage<readonly SyncJob[]>('GET', `/api/v1/connectors/${connectorId}/sync`, {
        query: { page, limit: 10 },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  if (list.error) return <ErrorNotice error={list.error} onRetry={() => list.refetch()} />;
  if (list.data === undefined) return <Loading what="jobs" />;
  if (list.data.items.length === 0) return <Empty title="There was no sync yet" />;
  return (
    <div className="stack">
      <ul className="plain-list">
        {list.data.items.map((job) => (
          <li key={job.jobId} className="card stack">
            <p className="row">
              <StatusBadge status={job.status} />
              <span>
                {job.kind.replaceAll('_', ' ')} ({job.mode})
              </span>
              <span className="muted small">
                <Ago time={job.startedAt} />
                {tookText(job)}
              </span>
            </p>
            <p className="counts muted small">
              {Object.entries(job.progress).map(([name, count]) => (
                <span key={name}>
                  {name} <strong>{count.toLocaleString()}</strong>
                </span>
              ))}
            </p>
            <JobErrors job={job} />
          </li>
        ))}
      </ul>
      <Pager meta={list.data.meta} onPage={setPage} />
    </div>
  );
}
