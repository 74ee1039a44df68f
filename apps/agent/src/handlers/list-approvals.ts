import type { ListApprovalsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import { toApproval } from '#approvals/approval-rows';
import type { Context } from '#context';
import { readRunForApprovals } from '#runs/read-run';
import { isReadable } from '#runs/readable-runs';

/** Lists the approvals of a run. Empty if the run is withheld: arguments can contain what it read. */
export const listApprovals =
  (context: Context) =>
  async ({ agentId, runId }: ListApprovalsRequest, call: ServiceCall) => {
    const { db } = context;
    await readAgent(context, call, agentId);
    const run = await readRunForApprovals(db, call.caller, agentId, runId);
    if (!(await isReadable(context, call, run))) return { approvals: [] };
    const rows = await db.approval.findMany({ where: { runId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
    return { approvals: rows.map((row) => toApproval(row, agentId)) };
  };
