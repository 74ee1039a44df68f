import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import { ApprovalCard } from '#pages/approvals/approval-card.tsx';
import { t } from '#texts/texts.ts';
import { QueryView } from '#ui/query-view.tsx';

/** The tool calls of a run that wait, or waited, for a decision. */
export function RunApprovals({ agentId, runId }: { readonly agentId: string; readonly runId: string }) {
  const approvals = useQuery({
    queryKey: ['approvals', agentId, runId],
    queryFn: ({ signal }) => lectern().runs.approvals(agentId, runId, { signal }),
  });
  return (
    <QueryView query={approvals} what={t('approvals.what.approvals')}>
      {(items) => items.map((approval) => <ApprovalCard key={approval.id} approval={approval} />)}
    </QueryView>
  );
}
