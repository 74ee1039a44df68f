import { createHash } from 'node:crypto';
import { type Approval as ApprovalMessage, ApprovalStatus } from '@lectern/contracts';
import { canonicalJson } from '@lectern/service-kit';
import { z } from 'zod';
import { type Approval, Prisma, type PrismaClient } from '#gen/prisma/client';

/**
 * The states of an approval. `pending` changes once, to one of the others, and only before it expires
 * and while its run is running.
 */
export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

export const STATUSES: Readonly<Record<ApprovalState, ApprovalStatus>> = {
  pending: ApprovalStatus.PENDING,
  approved: ApprovalStatus.APPROVED,
  denied: ApprovalStatus.DENIED,
  expired: ApprovalStatus.EXPIRED,
  cancelled: ApprovalStatus.CANCELLED,
};

/** The arguments of a call. */
export type CallParams = Readonly<Record<string, unknown>>;

/** A call that needs an approval. */
export interface WaitingCall {
  readonly callId: string;
  readonly tool: string;
  /** The version of the tool's definition. */
  readonly version: string;
  readonly params: CallParams;
}

const object = z.record(z.string(), z.unknown());

/** Returns the digest of a call: of the tool's definition and all arguments. */
const digestOfCall = ({ tool, version, params }: Omit<WaitingCall, 'callId'>): string =>
  createHash('sha256')
    .update(canonicalJson([tool, version, params]))
    .digest('base64url');

const stateOf = z.enum(['pending', 'approved', 'denied', 'expired', 'cancelled']);

/** Returns the state of a row now: one that has expired may not be marked yet. */
export function approvalState({ status, expiresAt }: Pick<Approval, 'status' | 'expiresAt'>): ApprovalState {
  const state = stateOf.parse(status);
  return state === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : state;
}

/** Stores a call that waits for a decision. */
export function insertApproval(
  db: PrismaClient,
  row: { readonly id: string; readonly runId: string; readonly teamId: string; readonly expiresAt: Date },
  call: WaitingCall,
): Promise<Approval> {
  const params: Prisma.InputJsonValue = JSON.parse(JSON.stringify(call.params));
  const { callId, tool } = call;
  return db.approval.create({ data: { ...row, callId, tool, params, digest: digestOfCall(call) } });
}

/**
 * Decides a pending approval of a running run. Returns false if there was nothing left to decide.
 */
export async function decide(
  db: PrismaClient,
  id: string,
  decision: { readonly status: 'approved' | 'denied'; readonly decidedBy: string; readonly reason: string | null },
): Promise<boolean> {
  const { status, decidedBy, reason } = decision;
  const count = await db.$executeRaw`
    UPDATE approvals SET status = ${status}, decided_by = ${decidedBy}, reason = ${reason}, decided_at = now()
    FROM runs
    WHERE approvals.id = ${id} AND approvals.status = 'pending' AND approvals.expires_at > now()
      AND runs.id = approvals.run_id AND runs.status = 'running' AND runs.cancel_asked_at IS NULL`;
  return count === 1;
}

/**
 * Takes the approved call, once, immediately before it is sent. Returns the arguments that were
 * approved. Undefined: it was not approved, was taken before, the run has ended, or the call is not
 * exactly the approved one.
 */
export async function takeApproved(db: PrismaClient, id: string, call: WaitingCall): Promise<CallParams | undefined> {
  const [row] = await db.$queryRaw<{ params: unknown }[]>`
    UPDATE approvals SET called_at = now() FROM runs
    WHERE approvals.id = ${id} AND approvals.status = 'approved' AND approvals.called_at IS NULL
      AND approvals.digest = ${digestOfCall(call)}
      AND runs.id = approvals.run_id AND runs.status = 'running' AND runs.cancel_asked_at IS NULL
    RETURNING approvals.params`;
  if (row === undefined) return undefined;
  const params = object.parse(row.params);
  return digestOfCall({ ...call, params }) === digestOfCall(call) ? params : undefined;
}

/** Marks approvals that no one decided in time. */
export const expireApprovals = (db: PrismaClient): Promise<number> => db.$executeRaw`
  UPDATE approvals SET status = 'expired', decided_at = now() WHERE status = 'pending' AND expires_at <= now()`;

/** The state of an approval that is pending when its run ends: it may have expired and not be marked yet. */
const ENDED = Prisma.sql`CASE WHEN approvals.expires_at <= now() THEN 'expired' ELSE 'cancelled' END`;

/** Ends the pending approvals of a run that ends. */
export const endApprovals = (db: Prisma.TransactionClient, runId: string): Promise<number> => db.$executeRaw`
  UPDATE approvals SET status = ${ENDED}, decided_at = now() WHERE status = 'pending' AND run_id = ${runId}`;

/** Ends the pending approvals of runs that have ended. */
export const endOrphans = (db: PrismaClient): Promise<number> => db.$executeRaw`
  UPDATE approvals SET status = ${ENDED}, decided_at = now() FROM runs
  WHERE approvals.status = 'pending' AND runs.id = approvals.run_id AND runs.status <> 'running'`;

/** Converts a row to its contract form. */
export function toApproval(row: Approval, agentId: string): ApprovalMessage {
  return {
    id: row.id,
    runId: row.runId,
    agentId,
    callId: row.callId,
    tool: row.tool,
    params: object.parse(row.params),
    status: STATUSES[approvalState(row)],
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    decidedAt: row.decidedAt ?? undefined,
    decidedBy: row.decidedBy ?? undefined,
    reason: row.reason ?? undefined,
    calledAt: row.calledAt ?? undefined,
  };
}
