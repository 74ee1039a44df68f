import { MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import { type Deadline, newId } from '@lectern/service-kit';
import { type CallParams, insertApproval, takeApproved, type WaitingCall } from '#approvals/approval-rows';
import type { Decision } from '#approvals/approval-waits';
import type { Context } from '#context';

/** A call that waits for a decision. */
export interface PendingApproval extends WaitingCall {
  readonly approvalId: string;
  readonly expiresAt: Date;
}

/** The approvals of one run. */
export interface RunApprovals {
  /** Asks for the approval of a call. Undefined if the run has waited for too long already. */
  request(call: WaitingCall): Promise<PendingApproval | undefined>;
  /** Waits for the decision. The clock of the run stops meanwhile. */
  decision(approval: PendingApproval, signal: AbortSignal): Promise<Decision>;
  /** Takes the arguments of an approved call, once. */
  take(approval: PendingApproval): Promise<CallParams | undefined>;
}

/** Creates the approvals of a run that a deadline limits. */
export function createRunApprovals(
  { db, approvals, config }: Pick<Context, 'db' | 'approvals' | 'config'>,
  { runId, teamId, deadline }: { readonly runId: string; readonly teamId: string; readonly deadline: Deadline },
): RunApprovals {
  return {
    async request(call) {
      const waitMs = Math.min(config.AGENT_APPROVAL_TIMEOUT_MS, MAX_APPROVAL_WAIT_MS - deadline.pausedMs());
      if (waitMs <= 0) return undefined;
      const expiresAt = new Date(Date.now() + waitMs);
      const { id: approvalId } = await insertApproval(db, { id: newId('approval'), runId, teamId, expiresAt }, call);
      return { ...call, approvalId, expiresAt };
    },
    async decision({ approvalId }, signal) {
      const resume = deadline.pause();
      try {
        return await approvals.wait(approvalId, signal);
      } finally {
        resume();
      }
    },
    take: (approval) => takeApproved(db, approval.approvalId, approval),
  };
}
