import { type Approval, ApprovalStatus } from '@lectern/contracts';
import { actorOf, recordAudit } from '#audit/record-audit';
import type { Context } from '#context';
import { enumText } from '#operations/convert';
import type { KeyedCall } from '#pipeline/operation';

/**
 * Records a decision in the audit log, without the arguments: they can contain text of documents. A
 * failure is only logged, because the decision is made.
 */
export async function auditDecision({ db, log }: Context, call: KeyedCall, approval: Approval): Promise<void> {
  const { id, agentId, runId, tool, status } = approval;
  const details = { agentId, runId, tool, status: enumText(ApprovalStatus, status) };
  try {
    const action = { action: 'decideApproval', resourceType: 'approval', resourceId: id, details };
    await recordAudit(db, actorOf(call), action);
  } catch (err) {
    log.error({ err, approvalId: id }, 'could not record a decision in the audit log');
  }
}
