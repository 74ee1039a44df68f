import type { ChatModel } from '@lectern/llm';
import { AppError, invalidRequest, newId } from '@lectern/service-kit';
import { readLastQuestion } from '#conversations/last-question';
import { newConversation } from '#conversations/open-conversation';
import { readConversation } from '#conversations/read-conversation';
import type { StoredRequest } from '#conversations/stored-request';
import type { TurnLease } from '#conversations/turn-lease';
import type { Conversation } from '#gen/prisma/client';
import { readerOf } from '#replies/reader-of';
import { contextBudget } from '#turn/fit-context';
import { type LookUp, lookUp } from '#turn/look-up';
import { type Reach, reachOf } from '#turn/reach';
import { systemPrompt } from '#turn/system-prompt';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';

/** A turn that nothing stands against any more. */
export interface PreparedTurn {
  readonly conversationId: string;
  /** Messages of the conversation that stand before the one that is answered. */
  readonly before: number;
  /** The id of the user's message where it is a new one. */
  readonly messageId: string | undefined;
  readonly replyId: string;
  readonly sentAt: Date;
  readonly message: string;
  readonly request: StoredRequest;
  readonly model: ChatModel;
  readonly maxTokens: number;
  readonly system: string;
  readonly reach: Reach;
  /** Of a new conversation, what is being looked for already. */
  readonly ahead: LookUp | undefined;
  /** Who answers, where it is not the model alone. */
  readonly agentId: string | undefined;
  readonly lease: TurnLease;
}

/** What is asked, and in which conversation. */
interface Asked {
  readonly existing: Conversation | undefined;
  readonly agentId: string | undefined;
  readonly message: string;
  readonly request: StoredRequest;
}

/**
 * Everything that can refuse a turn, before its first event: an unknown model, conversation, agent or collection, a bound that the model
 * does not have, a message too long, a conversation that is being answered. Takes the conversation; the lease must be released.
 */
export async function prepareTurn(deps: TurnDeps, turn: TurnRequest): Promise<PreparedTurn> {
  const { leases, models, services, caller } = deps;
  const { existing, agentId, message, request } = await readAsked(deps, turn);
  const model = await models.get(request.model);
  const maxTokens = readMaxTokens(model, request.maxTokens);
  const agent = agentId === undefined ? undefined : await services.getAgent(agentId);
  const system = systemPrompt(agent?.systemPrompt);
  contextBudget({ model, maxTokens, system, message });
  const reach = await reachOf(services, request.collections, agent);

  const replyId = newId('message');
  const opened = existing === undefined ? newConversation(caller, { message, agentId }) : undefined;
  // Nothing was said before a new conversation, so its sources can be looked for while it is written down.
  const ahead = opened !== undefined && agentId === undefined ? lookUp(deps, [], message, reach) : undefined;
  const conversationId = opened?.id ?? existing?.id ?? '';
  const reader = readerOf(caller);
  const lease = await (opened === undefined
    ? leases.hold(conversationId, replyId, reader)
    : leases.open(opened, replyId, reader));
  const isAnew = turn.kind === 'anew';
  if (isAnew && lease.messageCount !== existing?.messageCount) {
    await lease.release();
    throw new AppError('conflict', 'A message was added to the conversation meanwhile. Look at it and try again.');
  }
  return {
    conversationId,
    before: isAnew ? lease.messageCount - 2 : lease.messageCount,
    messageId: isAnew ? undefined : newId('message'),
    replyId,
    sentAt: new Date(),
    message,
    request,
    model,
    maxTokens,
    system,
    reach,
    ahead,
    agentId,
    lease,
  };
}

async function readAsked({ db, caller }: TurnDeps, turn: TurnRequest): Promise<Asked> {
  const { conversationId, collections, model, maxTokens } = turn;
  const existing = conversationId === undefined ? undefined : await readConversation(db, caller, conversationId);
  const request = {
    collections: [...collections],
    ...(model === undefined ? {} : { model }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  if (turn.kind === 'message' || existing === undefined) {
    const { message = '', agentId = existing?.agentId ?? undefined } = turn.kind === 'message' ? turn : {};
    return { existing, agentId, message, request: { ...request, ...(agentId === undefined ? {} : { agentId }) } };
  }
  const last = await readLastQuestion(db, existing);
  const asked = collections.length > 0 ? request : { ...request, collections: last.request.collections };
  return {
    existing,
    agentId: last.request.agentId ?? existing.agentId ?? undefined,
    message: last.text,
    request: { ...last.request, ...asked },
  };
}

function readMaxTokens({ id, info }: ChatModel, asked: number | undefined): number {
  if (asked === undefined) return info.defaultMaxOutput;
  if (Number.isInteger(asked) && asked >= 1 && asked <= info.maxOutput) return asked;
  throw invalidRequest([{ path: 'maxTokens', message: `must be between 1 and ${info.maxOutput} for the model ${id}` }]);
}
