import type { ChatModel } from '@lectern/llm';
import { invalidRequest, newId } from '@lectern/service-kit';
import { openConversation } from '#conversations/open-conversation';
import { readConversation } from '#conversations/read-conversation';
import { holdConversation, type TurnLease } from '#conversations/turn-lease';
import { contextBudget } from '#turn/fit-context';
import { type Reach, reachOf } from '#turn/reach';
import { systemPrompt } from '#turn/system-prompt';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';

/** A turn that nothing stands against any more. */
export interface PreparedTurn {
  readonly conversationId: string;
  /** True where nothing was said before. */
  readonly isFirst: boolean;
  /** The id of the user's message, and of the reply. */
  readonly messageId: string;
  readonly replyId: string;
  readonly sentAt: Date;
  readonly message: string;
  readonly model: ChatModel;
  readonly maxTokens: number;
  readonly system: string;
  readonly reach: Reach;
  readonly lease: TurnLease;
}

/**
 * Everything that can refuse a turn, before its first event: an unknown model, conversation, agent or collection, a bound that the model
 * does not have, a message too long, a conversation that is being answered. Takes the conversation; the lease must be released.
 */
export async function prepareTurn(deps: TurnDeps, request: TurnRequest): Promise<PreparedTurn> {
  const { db, log, models, services, caller } = deps;
  const { message } = request;
  const model = await models.get(request.model);
  const maxTokens = readMaxTokens(model, request.maxTokens);
  const existing =
    request.conversationId === undefined ? undefined : await readConversation(db, caller, request.conversationId);
  const agentId = request.agentId ?? existing?.agentId ?? undefined;
  const agent = agentId === undefined ? undefined : await services.getAgent(agentId);
  const system = systemPrompt(agent?.systemPrompt);
  contextBudget({ model, maxTokens, system, message });
  const reach = await reachOf(services, request.collections, agent);

  const conversation = existing ?? (await openConversation(db, caller, { message, agentId }));
  const messageId = newId('message');
  const replyId = newId('message');
  const lease = await holdConversation(db, log, conversation.id, replyId);
  const sentAt = new Date();
  return {
    conversationId: conversation.id,
    isFirst: existing === undefined,
    messageId,
    replyId,
    sentAt,
    message,
    model,
    maxTokens,
    system,
    reach,
    lease,
  };
}

function readMaxTokens({ id, info }: ChatModel, asked: number | undefined): number {
  if (asked === undefined) return info.defaultMaxOutput;
  if (Number.isInteger(asked) && asked >= 1 && asked <= info.maxOutput) return asked;
  throw invalidRequest([{ path: 'maxTokens', message: `must be between 1 and ${info.maxOutput} for the model ${id}` }]);
}
