import { type DecideApprovalRequest, isId } from '@lectern/contracts';
import { AppError, invalidRequest, notFound, type ServiceCall } from '@lectern/service-kit';
import { storableText } from '@lectern/text';
import { readAgent } from '#agents/access';
import { type ApprovalState, approvalState, decide, toApproval } from '#approvals/approval-rows';
import type { Context } from '#context';
import type { Approval } from '#gen/prisma/client';
import { requireDecider } from '#runs/deciders';
import { readRunForApprovals } from '#runs/read-run';
import { isReadable } from '#runs/readable-runs';

const MAX_REASON = 1_000;

/** Approves or denies a call that waits. Repeating the same decision changes nothing. */
export const decideApproval =
  (context: Context) =>
  async ({ agentId, runId, id, approve, reason = '' }: DecideApprovalRequest, call: ServiceCall) => {
    const { db, approvals } = context;
    const { caller } = call;
    if ([...reason].length > MAX_REASON) {
      throw invalidRequest([{ path: 'reason', message: `must have at most ${MAX_REASON} characters` }]);
    }
    await readAgent(context, call, agentId);
    const run = await readRunForApprovals(db, caller, agentId, runId);
    await readApproval(db, runId, id);
    requireDecider(caller, run);
    if (!(await isReadable(context, call, run))) {
      throw new AppError(
        'forbidden',
        'You can no longer read the documents of this run, so you cannot decide about its calls.',
      );
    }
    const status = approve ? 'approved' : 'denied';
    const decidedBy = caller.userEmail ?? caller.keyId ?? '';
    const decided = await decide(db, id, { status, decidedBy, reason: storableText(reason.trim()) || null });
    const row = await readApproval(db, runId, id);
    const state = approvalState(row);
    if (!decided && state !== status) throw alreadyEnded(row, state);
    await approvals.check();
    return toApproval(row, agentId);
  };

async function readApproval(db: Context['db'], runId: string, id: string): Promise<Approval> {
  const row = isId('approval', id) ? await db.approval.findFirst({ where: { id, runId } }) : null;
  if (row === null) throw notFound('approval', id);
  return row;
}

const REASONS: Readonly<Record<ApprovalState, string>> = {
  pending: 'The run of this call is ending.',
  approved: 'This call is already approved.',
  denied: 'This call is already denied.',
  expired: 'No one decided about this call in time. Send the message again.',
  cancelled: 'The run of this call has ended.',
};

const alreadyEnded = ({ id }: Approval, state: ApprovalState) =>
  new AppError('conflict', REASONS[state], { details: { resource: 'approval', id, status: state } });
