import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { RunApprovals } from '#pages/approvals/run-approvals.tsx';
import { Prose } from '#pages/chat/prose.tsx';
import { storedSteps } from '#pages/chat/step.ts';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

/** The stored runs of an agent, newest first. */
export function RunHistory({ agentId }: { readonly agentId: string }) {
  const [opened, setOpened] = useState<string>();
  const paging = usePaged(['runs', agentId], (page, options) =>
    lectern().runs.list(agentId, { page, limit: 10 }, options),
  );
  return (
    <div className="stack">
      <Listing
        paging={paging}
        what="runs"
        empty={
          <Empty title="No runs yet">
            <p>Open the Run tab to send the agent a message.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map(({ id, status, message, content, startedAt, pendingApprovals }) => (
              <li key={id} className="card stack">
                <p className="row">
                  <StatusBadge status={status} />
                  {pendingApprovals > 0 ? <StatusBadge status="pending" label="waits for approval" /> : null}
                  <button type="button" className="link-button" onClick={() => setOpened(id)}>
                    {message}
                  </button>
                  <span className="muted small">
                    <Ago time={startedAt} />
                  </span>
                </p>
                {content ? <p className="clamp">{plainExcerpt(content)}</p> : null}
              </li>
            ))}
          </ul>
        )}
      </Listing>
      <Sheet title="Run" isOpen={opened !== undefined} onOpenChange={() => setOpened(undefined)}>
        {opened === undefined ? null : <RunView agentId={agentId} runId={opened} />}
      </Sheet>
    </div>
  );
}

function RunView({ agentId, runId }: { readonly agentId: string; readonly runId: string }) {
  const run = useQuery({
    queryKey: ['runs', agentId, 'one', runId],
    queryFn: ({ signal }) => lectern().runs.get(agentId, runId, { signal }),
  });
  return (
    <QueryView query={run} what="the run">
      {(record) => (
        <article className="stack">
          <p className="row muted">
            <StatusBadge status={record.status} />
            <span>
              {dateTimeText(record.startedAt)} · <code>{record.model}</code> ·{' '}
              {record.usage.totalTokens.toLocaleString()} tokens
              {record.limit === null ? '' : ` · stopped at limit: ${record.limit.replaceAll('_', ' ')}`}
            </span>
          </p>
          <p className="message-user">{record.message}</p>
          <StepsView steps={storedSteps(record)} />
          {record.pendingApprovals > 0 ? <RunApprovals agentId={agentId} runId={runId} /> : null}
          {record.error ? <p className="notice notice-error">{record.error.message}</p> : null}
          {record.content === '' ? null : <Prose text={record.content} />}
          {record.memories.length === 0 ? null : (
            <section className="stack" aria-label="Saved memories">
              <h3>Saved memories</h3>
              <ul className="sources">
                {record.memories.map(({ id, content }) => (
                  <li key={id}>{content}</li>
                ))}
              </ul>
            </section>
          )}
        </article>
      )}
    </QueryView>
  );
}
