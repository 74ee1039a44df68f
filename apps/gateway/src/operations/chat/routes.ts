import { chat as spec } from '@lectern/api-spec';
import { type ChatEvent, MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import { AppError, type ClientCallOptions, onBehalfOf, requireAgents } from '@lectern/service-kit';
import { z } from 'zod';
import { actorOf, recordAudit } from '#audit/record-audit';
import { meterEvents, meterReply, settleResumed } from '#budgets/meter';
import { chatRequest, feedbackRequest, regenerateRequest } from '#chat/requests';
import type { Context } from '#context';
import { type ApiResponse, data, page, stream } from '#http/api-response';
import { chatEvents } from '#operations/chat/events';
import { chatReply, conversationItem, conversationRecord, feedbackRecord } from '#operations/chat/mapping';
import { type KeyedCall, route } from '#pipeline/operation';

/** A longer reply is cancelled. */
const DEADLINE_MS = 600_000 + MAX_APPROVAL_WAIT_MS;
/**
 * A resumed stream starts its response after this time even without an event, so that the client
 * receives pings while the model is thinking.
 */
const RESUME_WAIT_MS = 1_000;

const storedReply = z.object({ id: z.string(), conversationId: z.string() });

/**
 * True while the caller can still read the whole stored reply in its conversation: the reply can
 * quote documents that the caller can no longer access.
 */
async function canReplayReply({ clients }: Context, stored: unknown, call: KeyedCall): Promise<boolean> {
  const { id, conversationId } = storedReply.parse(stored);
  try {
    const { messages } = await clients.chat.getConversation({ id: conversationId }, onBehalfOf(call));
    return messages.some((message) => message.id === id && !message.withheld);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Starts the stream of a reply, or resumes it after the last event that the client received. */
function replyStream(
  ctx: Context,
  call: KeyedCall,
  body: { readonly model?: string | undefined },
  start: (options: ClientCallOptions) => AsyncIterable<ChatEvent>,
): ApiResponse {
  const options = { ...onBehalfOf(call), deadline: DEADLINE_MS };
  const { lastEventId } = call;
  if (lastEventId === undefined) return stream(chatEvents(meterEvents(ctx, call, body, () => start(options))));
  const resumed = ctx.clients.chat.resumeChat({ lastEventId }, options);
  return stream(chatEvents(settleResumed(ctx, call, resumed)), { waitMs: RESUME_WAIT_MS });
}

export const chatRoutes = [
  route(
    spec.chat,
    async (ctx, { body }, call) => {
      if (body.agentId !== undefined) requireAgents(call.caller);
      const { chat } = ctx.clients;
      return data(chatReply(await meterReply(ctx, call, body, () => chat.chat(chatRequest(body), onBehalfOf(call)))));
    },
    { canReplay: canReplayReply },
  ),

  route(spec.streamChat, async (ctx, { body }, call) => {
    if (body.agentId !== undefined) requireAgents(call.caller);
    return replyStream(ctx, call, body, (options) => ctx.clients.chat.streamChat(chatRequest(body), options));
  }),

  route(
    spec.regenerate,
    async (ctx, { params, body }, call) => {
      const request = regenerateRequest(params.id, body);
      const { chat } = ctx.clients;
      return data(chatReply(await meterReply(ctx, call, body, () => chat.regenerate(request, onBehalfOf(call)))));
    },
    { canReplay: canReplayReply },
  ),

  route(spec.streamRegenerate, async (ctx, { params, body }, call) =>
    replyStream(ctx, call, body, (options) =>
      ctx.clients.chat.streamRegenerate(regenerateRequest(params.id, body), options),
    ),
  ),

  route(spec.listModels, async (ctx, _input, call) => {
    const { models } = await ctx.clients.chat.listModels({}, onBehalfOf(call));
    return data(models.map(({ isDefault, endpoint = null, ...model }) => ({ ...model, default: isDefault, endpoint })));
  }),

  route(spec.listConversations, async (ctx, { query: { query: text, shared, ...pages } }, call) => {
    const request = { page: pages, query: text, shared: shared ?? false };
    const response = await ctx.clients.chat.listConversations(request, onBehalfOf(call));
    return page(response.conversations.map(conversationItem), response.page);
  }),

  route(spec.getConversation, async (ctx, { params }, call) =>
    data(conversationRecord(await ctx.clients.chat.getConversation({ id: params.id }, onBehalfOf(call)))),
  ),

  route(spec.updateConversation, async (ctx, { params: { id }, body }, call) => {
    const updated = await ctx.clients.chat.updateConversation({ id, ...body }, onBehalfOf(call));
    // Titles are private; who can read a conversation concerns the team.
    if (body.shared !== undefined) {
      const details = { shared: body.shared };
      await recordAudit(ctx.db, actorOf(call), {
        action: 'updateConversation',
        resourceType: 'conversation',
        resourceId: id,
        details,
      });
    }
    return data(conversationItem(updated));
  }),

  route(spec.deleteConversation, async (ctx, { params }, call) => {
    const { id } = await ctx.clients.chat.deleteConversation({ id: params.id }, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(spec.giveFeedback, async (ctx, { params, body }, call) =>
    data(feedbackRecord(await ctx.clients.chat.setFeedback(feedbackRequest(params, body), onBehalfOf(call)))),
  ),

  route(spec.deleteFeedback, async (ctx, { params }, call) => {
    const { messageId } = await ctx.clients.chat.deleteFeedback(
      { conversationId: params.id, messageId: params.messageId },
      onBehalfOf(call),
    );
    return data({ id: messageId, deleted: true });
  }),

  route(spec.getSuggestions, async (ctx, _input, call) => {
    const { questions, searchable, pendingCount } = await ctx.clients.chat.getSuggestions({}, onBehalfOf(call));
    return data({ questions, searchable, pendingDocuments: pendingCount });
  }),
];
