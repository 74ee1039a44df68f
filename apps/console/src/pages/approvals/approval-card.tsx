import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import type { Approval } from '#pages/chat/step.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { dateTimeText } from '#ui/time-text.ts';

const ENDED: Readonly<Record<Exclude<Approval['status'], 'pending'>, string>> = {
  approved: 'Approved.',
  denied: 'Denied.',
  expired: 'No one decided in time.',
  cancelled: 'The run ended before a decision.',
};

/** A tool call that waits for a person, with its exact arguments. */
export function ApprovalCard({ approval }: { readonly approval: Approval }) {
  const { id: approvalId, agentId, runId, tool, params, expiresAt } = approval;
  const [reason, setReason] = useState('');
  const decide = useChange(
    (decision: 'approve' | 'deny') => {
      const body = { decision, ...(reason.trim() === '' ? {} : { reason }) };
      return lectern().runs.decide({ agentId, runId, approvalId }, body);
    },
    ['runs', 'approvals'],
  );
  // The event of the decision can arrive later than the response.
  const status = decide.data?.status ?? approval.status;
  return (
    <section className="card stack" aria-label={`Approval of ${tool}`}>
      <p>
        <strong>{status === 'pending' ? 'Approve this call?' : ENDED[status]}</strong> <code>{tool}</code>
      </p>
      <pre className="step-data">{JSON.stringify(params, null, 1)}</pre>
      {status === 'pending' ? (
        <>
          <p className="muted small">The call changes something. You can decide until {dateTimeText(expiresAt)}.</p>
          <TextField label="Reason (optional)" value={reason} onChange={setReason} maxLength={1_000} />
          {decide.error ? <ErrorNotice error={decide.error} /> : null}
          <div className="row row-end">
            <Button isBusy={decide.isPending && decide.variables === 'deny'} onClick={() => decide.mutate('deny')}>
              Deny
            </Button>
            <Button
              isPrimary
              isBusy={decide.isPending && decide.variables === 'approve'}
              onClick={() => decide.mutate('approve')}
            >
              Approve
            </Button>
          </div>
        </>
      ) : null}
    </section>
  );
}
