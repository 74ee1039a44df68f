import type { ServiceCall } from '@lectern/service-kit';
import { agentVisibility, isWithin } from '#agents/visible-agents';
import { toApproval } from '#approvals/approval-rows';
import type { Context } from '#context';
import { decidableRuns } from '#runs/deciders';
import { onlyReadable } from '#runs/readable-runs';

const MAX_LISTED = 100;
/** The maximum number of approvals that are searched for those that the caller can see. */
const MAX_SEARCHED = 1_000;

/** Lists the pending approvals that the caller can decide about, those that expire first at the top. */
export const listWaitingApprovals = (context: Context) => async (_request: object, call: ServiceCall) => {
  const { caller } = call;
  const rows = await context.db.approval.findMany({
    where: {
      teamId: caller.teamId,
      status: 'pending',
      expiresAt: { gt: new Date() },
      run: { ...decidableRuns(caller), status: 'running', cancelAskedAt: null },
    },
    include: {
      run: { select: { documents: true, agent: { select: { id: true, keyId: true, collectionIds: true } } } },
    },
    orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
    take: MAX_SEARCHED,
  });
  const isSeen = rows.every(({ run }) => isWithin(caller, run.agent))
    ? () => true
    : await agentVisibility(context, call);
  const waiting = rows.filter(({ run }) => isSeen(run.agent));
  // The arguments of a call can contain what the run has read.
  const readable = new Set(
    await onlyReadable(
      context,
      call,
      waiting.map(({ run }) => run),
    ),
  );
  const listed = waiting.filter(({ run }) => readable.has(run)).slice(0, MAX_LISTED);
  return { approvals: listed.map(({ run, ...row }) => toApproval(row, run.agent.id)) };
};
