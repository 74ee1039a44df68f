import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { usePaged } from '#api/use-paged.ts';
import { RunNumbers } from '#pages/agents/run-numbers.tsx';
import { RunApprovals } from '#pages/approvals/run-approvals.tsx';
import { Prose } from '#pages/chat/prose.tsx';
import { storedSteps } from '#pages/chat/step.ts';
import { StepsView } from '#pages/chat/steps-view.tsx';
import { plainExcerpt } from '#pages/documents/plain-excerpt.ts';
import { t } from '#texts/texts.ts';
import { Ago } from '#ui/ago.tsx';
import { Empty } from '#ui/empty.tsx';
import { Listing } from '#ui/listing.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const LIMITS = ['iterations', 'tool_calls', 'tokens', 'tool_output', 'approval'] as const;

function limitText(limit: string): string {
  const known = LIMITS.find((name) => name === limit);
  if (known === undefined) return t('agents.runs.stoppedAtOther', { limit: limit.replaceAll('_', ' ') });
  return t(`agents.runs.stoppedAt.${known}`);
}

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
        what={t('agents.what.runs')}
        empty={
          <Empty title={t('agents.runs.none')}>
            <p>{t('agents.runs.noneHint')}</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="plain-list">
            {items.map(({ id, status, message, content, startedAt, pendingApprovals }) => (
              <li key={id} className="card stack">
                <p className="row">
                  <StatusBadge status={status} />
                  {pendingApprovals > 0 ? <StatusBadge status="pending" label={t('agents.runs.waits')} /> : null}
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
      <Sheet title={t('agents.runs.title')} isOpen={opened !== undefined} onOpenChange={() => setOpened(undefined)}>
        {opened === undefined ? null : <RunView agentId={agentId} runId={opened} />}
      </Sheet>
    </div>
  );
}

/** Milliseconds. Undefined for a run that has not ended. */
const durationOf = ({ startedAt, completedAt }: { readonly startedAt: string; readonly completedAt: string | null }) =>
  completedAt === null ? undefined : Date.parse(completedAt) - Date.parse(startedAt);

function RunView({ agentId, runId }: { readonly agentId: string; readonly runId: string }) {
  const run = useQuery({
    queryKey: ['runs', agentId, 'one', runId],
    queryFn: ({ signal }) => lectern().runs.get(agentId, runId, { signal }),
  });
  return (
    <QueryView query={run} what={t('agents.what.run')}>
      {(record) => (
        <article className="stack">
          <p className="row muted">
            <StatusBadge status={record.status} />
            <span>
              {dateTimeText(record.startedAt)} · <code>{record.model}</code>
              {record.limit === null ? '' : ` · ${limitText(record.limit)}`}
            </span>
          </p>
          <RunNumbers model={record.model} usage={record.usage} tookMs={durationOf(record)} />
          <p className="message-user">{record.message}</p>
          <StepsView steps={storedSteps(record)} />
          {record.pendingApprovals > 0 ? <RunApprovals agentId={agentId} runId={runId} /> : null}
          {record.error ? <p className="notice notice-error">{record.error.message}</p> : null}
          {record.content === '' ? null : <Prose text={record.content} />}
          {record.memories.length === 0 ? null : (
            <section className="stack" aria-label={t('agents.runs.savedMemories')}>
              <h3>{t('agents.runs.savedMemories')}</h3>
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
