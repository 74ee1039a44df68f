import { runs } from '@lectern/api-spec';
import { MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { meterEvents } from '#budgets/meter';
import { chatRequest } from '#chat/requests';
import { data, page, stream } from '#http/api-response';
import { auditDecision } from '#operations/approvals/audit-decision';
import { approvalRecord } from '#operations/approvals/mapping';
import { runEvents } from '#operations/runs/events';
import { runItem, runRecord, runSettings } from '#operations/runs/mapping';
import { route } from '#pipeline/operation';

/** A longer run is cancelled. */
const DEADLINE_MS = 600_000 + MAX_APPROVAL_WAIT_MS;

export const runRoutes = [
  // A run is a chat with the agent: the chat service stores its conversation.
  route(runs.executeAgent, async (ctx, { params, body }, call) => {
    const { settings, ...message } = body;
    const request = {
      ...chatRequest({ ...message, agentId: params.id }),
      agentSettings: settings && runSettings(settings),
    };
    const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
    return stream(runEvents(meterEvents(ctx, call, body, () => ctx.clients.chat.streamChat(request, options))));
  }),

  route(runs.listRuns, async (ctx, { params, query }, call) => {
    const response = await ctx.clients.runs.listRuns({ agentId: params.id, page: query }, onBehalfOf(call));
    return page(response.runs.map(runItem), response.page);
  }),

  route(runs.getRun, async (ctx, { params }, call) =>
    data(runRecord(await ctx.clients.runs.getRun({ agentId: params.id, id: params.runId }, onBehalfOf(call)))),
  ),

  route(runs.listApprovals, async (ctx, { params }, call) => {
    const request = { agentId: params.id, runId: params.runId };
    const { approvals } = await ctx.clients.runs.listApprovals(request, onBehalfOf(call));
    return data(approvals.map(approvalRecord));
  }),

  route(runs.listWaitingApprovals, async (ctx, _input, call) => {
    const { approvals } = await ctx.clients.runs.listWaitingApprovals({}, onBehalfOf(call));
    return data(approvals.map(approvalRecord));
  }),

  route(runs.decideApproval, async (ctx, { params, body: { decision, reason } }, call) => {
    const { id: agentId, runId, approvalId: id } = params;
    const request = { agentId, runId, id, approve: decision === 'approve', reason };
    const approval = await ctx.clients.runs.decideApproval(request, onBehalfOf(call));
    await auditDecision(ctx, call, approval);
    return data(approvalRecord(approval));
  }),

  route(runs.cancelRun, async (ctx, { params }, call) =>
    data(runRecord(await ctx.clients.runs.cancelRun({ agentId: params.id, id: params.runId }, onBehalfOf(call)))),
  ),
];
