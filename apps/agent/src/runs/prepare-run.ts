import type { ChatModel } from '@lectern/llm';
import { type Caller, invalidRequest, isPartOfTeam, requireMayManage, type ServiceCall } from '@lectern/service-kit';
import { readAgent, readAgentToChange } from '#agents/access';
import { checkCollections } from '#agents/check-collections';
import { checkFields } from '#agents/check-fields';
import { checkTools } from '#agents/check-tools';
import type { Context } from '#context';
import type { Agent } from '#gen/prisma/client';
import { forLastStep, instructionsFor } from '#loop/instructions';
import { agentModel, maxReplyTokens } from '#runs/agent-model';
import { narrowCaller } from '#runs/narrow-caller';
import type { RunRequest } from '#runs/run-request';

/** The minimum number of tokens for tool output. */
const MIN_ROOM = 1_000;

/** A validated run. */
export interface PreparedRun {
  readonly agent: Agent;
  readonly model: ChatModel;
  readonly maxTokens: number;
  /** The caller with the scope key ∩ agent ∩ request. */
  readonly caller: Caller;
  /** False for a caller of restricted scope whose agent is not meant for that scope. */
  readonly usesOutsideTools: boolean;
}

/** The agent as it is saved, or with the settings of the request. */
async function agentOfRun(context: Context, call: ServiceCall, { agentId, settings }: RunRequest): Promise<Agent> {
  if (settings === undefined) return readAgent(context, call, agentId);
  requireMayManage(call.caller, 'run an agent with other settings');
  const agent = await readAgentToChange(context, call, agentId);
  const { systemPrompt, memory } = settings;
  checkFields(settings);
  const tools = await checkTools(context, settings.tools, call, agent.tools, 'settings.tools');
  const collectionIds = await checkCollections(context, settings.collectionIds, call, agent.collectionIds);
  return { ...agent, systemPrompt, memory, tools, collectionIds };
}

/**
 * Validates a run before its first event: agent, model, collections, `maxTokens` and the length of
 * the message.
 */
export async function prepareRun(context: Context, call: ServiceCall, request: RunRequest): Promise<PreparedRun> {
  const agent = await agentOfRun(context, call, request);
  const model = await agentModel(context.modelsFor(call), request.model);
  const maxTokens = maxReplyTokens(model, request.maxTokens);
  const fixed = model.countTokens(forLastStep(instructionsFor(agent.systemPrompt, []))) + maxTokens;
  if (fixed + model.countTokens(request.message) + MIN_ROOM > model.info.recommendedMaxTokens) {
    throw invalidRequest([
      {
        path: 'message',
        message: `is too long for the model ${model.id}: it leaves no room for the reply. Shorten it or lower maxTokens`,
      },
    ]);
  }
  const scopes = { agent: agent.collectionIds, requested: request.collectionIds };
  const caller = await narrowCaller(context, call, scopes);
  // Every key can run an agent without collections, but the tools of others know nothing of scopes.
  const usesOutsideTools = !isPartOfTeam(call.caller) || agent.collectionIds.length > 0;
  return { agent, model, maxTokens, caller, usesOutsideTools };
}
