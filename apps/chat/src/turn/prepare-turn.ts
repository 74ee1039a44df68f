import type { RunSettings } from '@lectern/contracts';
import type { ChatModel } from '@lectern/llm';
import { AppError, invalidRequest, newId, requireAgents, requireMayManage } from '@lectern/service-kit';
import { readLastQuestion } from '#conversations/last-question';
import { newConversation } from '#conversations/open-conversation';
import { readOwnConversation } from '#conversations/read-conversation';
import type { StoredRequest } from '#conversations/stored-request';
import type { TurnLease } from '#conversations/turn-lease';
import type { Conversation } from '#gen/prisma/client';
import { readerOf } from '#replies/reader-of';
import { resolveSearchScope, type SearchScope } from '#sources/search-scope';
import { contextBudget } from '#turn/fit-context';
import { type LookUp, lookUp } from '#turn/look-up';
import { systemPrompt } from '#turn/system-prompt';
import type { TurnDeps, TurnRequest } from '#turn/turn-request';
import type { TurnAgent } from '#turn/turn-services';

/** A validated turn that has the lease of its conversation. */
export interface PreparedTurn {
  readonly conversationId: string;
  /** The number of messages before the one that is answered. */
  readonly before: number;
  /** The id of a new user message. */
  readonly messageId: string | undefined;
  readonly replyId: string;
  readonly sentAt: Date;
  readonly message: string;
  readonly request: StoredRequest;
  readonly model: ChatModel;
  readonly maxTokens: number;
  readonly system: string;
  readonly scope: SearchScope;
  /** The search that was already started for a new conversation. */
  readonly ahead: LookUp | undefined;
  /** The agent that answers, if any. */
  readonly agentId: string | undefined;
  readonly agentSettings: RunSettings | undefined;
  readonly lease: TurnLease;
}

/** The question, and the conversation that it belongs to. */
interface RequestedTurn {
  readonly existing: Conversation | undefined;
  readonly agentId: string | undefined;
  readonly message: string;
  readonly request: StoredRequest;
}

/**
 * Validates a turn before its first event: model, conversation, agent, collections, `maxTokens` and
 * the length of the message. Acquires the conversation's lease, which the caller must release.
 * Throws `conflict` while another message is being answered.
 */
export async function prepareTurn(deps: TurnDeps, turn: TurnRequest): Promise<PreparedTurn> {
  const { leases, models, services, caller } = deps;
  const { existing, agentId, message, request } = await readRequest(deps, turn);
  const settings = turn.kind === 'message' ? turn.agentSettings : undefined;
  if (agentId !== undefined) requireAgents(caller);
  if (settings !== undefined) requireMayManage(caller, 'run an agent with other settings');
  const model = await models.get(request.model);
  const maxTokens = readMaxTokens(model, request.maxTokens);
  const saved = agentId === undefined ? undefined : await services.getAgent(agentId);
  const agent = saved && withSettings(saved, settings);
  const system = systemPrompt(agent?.systemPrompt);
  contextBudget({ model, maxTokens, system, message });
  const scope = await resolveSearchScope(services, request.collections, agent);

  const replyId = newId('message');
  const opened = existing === undefined ? newConversation(caller, { message, agentId }) : undefined;
  // A new conversation has no history, so the search can start while the row is written.
  const ahead = opened !== undefined && agentId === undefined ? lookUp(deps, [], message, scope) : undefined;
  const conversationId = opened?.id ?? existing?.id ?? '';
  const reader = readerOf(caller);
  const lease = await (opened === undefined
    ? leases.acquire(conversationId, replyId, reader)
    : leases.open(opened, replyId, reader));
  const isRegenerate = turn.kind === 'regenerate';
  if (isRegenerate && lease.messageCount !== existing?.messageCount) {
    await lease.release();
    throw new AppError(
      'conflict',
      'A message was added to the conversation in the meantime. Reload the conversation and try again.',
    );
  }
  return {
    conversationId,
    before: isRegenerate ? lease.messageCount - 2 : lease.messageCount,
    messageId: isRegenerate ? undefined : newId('message'),
    replyId,
    sentAt: new Date(),
    message,
    request,
    model,
    maxTokens,
    system,
    scope,
    ahead,
    agentId,
    agentSettings: settings,
    lease,
  };
}

const withSettings = (agent: TurnAgent, settings: RunSettings | undefined): TurnAgent =>
  settings === undefined
    ? agent
    : { ...agent, systemPrompt: settings.systemPrompt, collections: settings.collectionIds };

async function readRequest({ db, caller }: TurnDeps, turn: TurnRequest): Promise<RequestedTurn> {
  const { conversationId, collections, model, maxTokens } = turn;
  const existing = conversationId === undefined ? undefined : await readOwnConversation(db, caller, conversationId);
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
  const requested = collections.length > 0 ? request : { ...request, collections: last.request.collections };
  return {
    existing,
    agentId: last.request.agentId ?? existing.agentId ?? undefined,
    message: last.text,
    request: { ...last.request, ...requested },
  };
}

function readMaxTokens({ id, info }: ChatModel, requested: number | undefined): number {
  if (requested === undefined) return info.defaultMaxOutput;
  if (Number.isInteger(requested) && requested >= 1 && requested <= info.maxOutput) return requested;
  throw invalidRequest([{ path: 'maxTokens', message: `must be between 1 and ${info.maxOutput} for the model ${id}` }]);
}
