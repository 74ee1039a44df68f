import { runs } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { meterEvents } from '#budgets/meter';
import { data, page, stream } from '#http/api-response';
import { chatRequest } from '#operations/chat/mapping';
import { runEvents } from '#operations/runs/events';
import { runItem, runRecord } from '#operations/runs/mapping';
import { route } from '#pipeline/operation';

/** A longer run is cancelled. */
const DEADLINE_MS = 600_000;

export const runRoutes = [
  // A run is a chat with the agent: the chat service stores its conversation.
  route(runs.executeAgent, async (ctx, { params, body }, call) => {
    const request = chatRequest({ ...body, agentId: params.id });
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

  route(runs.cancelRun, async (ctx, { params }, call) =>
    data(runRecord(await ctx.clients.runs.cancelRun({ agentId: params.id, id: params.runId }, onBehalfOf(call)))),
  ),
];
