import { LecternError } from '@lectern/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import type { AgentRunRecord } from '#api/types.ts';
import { RunApprovals } from '#pages/approvals/run-approvals.tsx';
import { useRole } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Loading } from '#ui/loading.tsx';
import { Markdown } from '#ui/markdown/markdown.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const POLL_MS = 1_500;
/** How often a conversation is read until it contains the answer. */
const MAX_READS = 10;

/** A run with the calls that wait, and its answer when it has ended. */
export function WaitingRun({
  agentId,
  runId,
  isOwnOnly,
}: {
  readonly agentId: string;
  readonly runId: string;
  readonly isOwnOnly: boolean;
}) {
  const queryClient = useQueryClient();
  const [location] = useLocation();
  const canChat = useRole('editor');
  const run = useQuery({
    queryKey: ['runs', agentId, 'one', runId],
    queryFn: ({ signal }) => lectern().runs.get(agentId, runId, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const isStored = useStored(run.data);
  const waits = run.data?.pendingApprovals;
  useEffect(() => {
    // A run can wait again, for its next call.
    if (waits !== undefined) void queryClient.invalidateQueries({ queryKey: ['approvals'] });
  }, [waits, queryClient]);

  const id = run.data?.conversationId ?? '';
  // The conversation on this page shows the answer itself.
  if (isStored && (location === `/ask/${id}` || location === `/chat/${id}`)) return null;
  // Editors decide about the calls of other people's runs, but do not see these runs.
  if (run.error instanceof LecternError && run.error.status === 404) {
    if (isOwnOnly) return null;
    return (
      <article className="stack" aria-label={t('approvals.run')}>
        <p className="muted small">{t('approvals.othersRun')}</p>
        <RunApprovals agentId={agentId} runId={runId} />
      </article>
    );
  }
  const page = canChat && !location.startsWith('/ask') ? 'chat' : 'ask';
  return (
    <QueryView query={run} what={t('approvals.what.run')}>
      {(record) => (
        <article className="stack" aria-label={t('approvals.run')}>
          <p>
            <span className="muted small">{t('approvals.youAsked')}</span>
            <br />
            <strong className="clamp">{record.message}</strong>
          </p>
          <RunApprovals agentId={agentId} runId={runId} />
          {record.status === 'running' && record.pendingApprovals === 0 ? (
            <Loading what={t('approvals.what.answer')} />
          ) : null}
          {record.status === 'running' || record.status === 'completed' ? null : (
            <p>
              <StatusBadge status={record.status} />
            </p>
          )}
          {record.error === null ? null : <p className="notice notice-error">{record.error.message}</p>}
          {record.content === '' ? null : (
            <div className="prose">
              <Markdown text={record.content} />
            </div>
          )}
          {isStored ? (
            <p>
              <Link href={`/${page}/${id}`}>{t('approvals.openConversation')}</Link>
            </p>
          ) : null}
        </article>
      )}
    </QueryView>
  );
}

/** Returns whether the conversation of a run that has ended contains its answer. */
function useStored(run: AgentRunRecord | undefined): boolean {
  const id = run?.conversationId ?? '';
  const hasEnded = run !== undefined && run.status !== 'running';
  const isNew = (updatedAt: string | undefined) => updatedAt !== undefined && updatedAt >= (run?.startedAt ?? '');
  const conversation = useQuery({
    queryKey: ['conversations', 'one', id],
    queryFn: ({ signal }) => lectern().conversations.get(id, { signal }),
    enabled: hasEnded && id !== '',
    refetchInterval: ({ state }) =>
      isNew(state.data?.updatedAt) || state.dataUpdateCount + state.errorUpdateCount > MAX_READS ? false : POLL_MS,
  });
  return hasEnded && isNew(conversation.data?.updatedAt);
}
