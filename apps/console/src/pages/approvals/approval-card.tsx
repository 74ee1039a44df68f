import { useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import type { Approval } from '#pages/chat/step.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { TextField } from '#ui/field.tsx';
import { dateTimeText } from '#ui/time-text.ts';

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
    <section className="card stack" aria-label={t('approvals.cardLabel', { tool })}>
      <p>
        <strong>{status === 'pending' ? t('approvals.question') : t(`approvals.ended.${status}`)}</strong>{' '}
        <code>{tool}</code>
      </p>
      <pre className="step-data">{JSON.stringify(params, null, 1)}</pre>
      {status === 'pending' ? (
        <>
          <p className="muted small">{t('approvals.until', { time: dateTimeText(expiresAt) })}</p>
          <TextField label={t('approvals.reason')} value={reason} onChange={setReason} maxLength={1_000} />
          {decide.error ? <ErrorNotice error={decide.error} /> : null}
          <div className="row row-end">
            <Button isBusy={decide.isPending && decide.variables === 'deny'} onClick={() => decide.mutate('deny')}>
              {t('approvals.deny')}
            </Button>
            <Button
              isPrimary
              isBusy={decide.isPending && decide.variables === 'approve'}
              onClick={() => decide.mutate('approve')}
            >
              {t('approvals.approve')}
            </Button>
          </div>
        </>
      ) : null}
    </section>
  );
}
