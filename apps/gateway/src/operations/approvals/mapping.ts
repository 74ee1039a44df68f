import { type Approval, ApprovalStatus, type RunEvent } from '@lectern/contracts';
import { enumText, time } from '#operations/convert';

type Value<Case extends string> = Extract<NonNullable<RunEvent['event']>, { $case: Case }>['value'];

/** The event of a tool call that waits for an approval. */
export const pendingApproval = (event: Value<'pendingApproval'>) => ({
  approvalId: event.approvalId,
  agentId: event.agentId,
  runId: event.runId,
  tool: event.tool,
  params: event.params ?? {},
  expiresAt: time(event.expiresAt),
});

/** The event of a decision, or of the end of the wait. */
export const approvalDecided = ({ approvalId, tool, status }: Value<'approvalDecided'>) => ({
  approvalId,
  tool,
  status: enumText(ApprovalStatus, status),
});

/** An approval of a run. */
export const approvalRecord = (approval: Approval) => ({
  id: approval.id,
  agentId: approval.agentId,
  runId: approval.runId,
  tool: approval.tool,
  params: approval.params ?? {},
  status: enumText(ApprovalStatus, approval.status),
  decidedBy: approval.decidedBy ?? null,
  reason: approval.reason ?? null,
  createdAt: time(approval.createdAt),
  expiresAt: time(approval.expiresAt),
  decidedAt: approval.decidedAt === undefined ? null : time(approval.decidedAt),
  calledAt: approval.calledAt === undefined ? null : time(approval.calledAt),
});
