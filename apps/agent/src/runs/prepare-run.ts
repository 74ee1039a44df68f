import type { ChatModel } from '@lectern/llm';
import { type Caller, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import type { Agent } from '#gen/prisma/client';
import { forLastStep, instructionsFor } from '#loop/instructions';
import { agentModel, replyBound } from '#runs/agent-model';
import { narrowCaller } from '#runs/narrow-caller';
import type { RunRequest } from '#runs/run-request';

/** Tokens that must be left for what tools give back, or there is no point in a run. */
const MIN_ROOM = 1_000;

/** A run that nothing stands against any more. */
export interface PreparedRun {
  readonly agent: Agent;
  readonly model: ChatModel;
  readonly maxTokens: number;
  /** Whose scope is key ∩ agent ∩ request. */
  readonly caller: Caller;
}

/** Everything that can refuse a run before its first event: an unknown agent, model or collection, a bound or a message that the model has no room for. */
export async function prepareRun(context: Context, call: ServiceCall, request: RunRequest): Promise<PreparedRun> {
  const agent = await readAgent(context, call, request.agentId);
  const model = await agentModel(context.models, request.model);
  const maxTokens = replyBound(model, request.maxTokens);
  const fixed = model.countTokens(forLastStep(instructionsFor(agent.systemPrompt, []))) + maxTokens;
  if (fixed + model.countTokens(request.message) + MIN_ROOM > model.info.recommendedMaxTokens) {
    throw invalidRequest([{ path: 'message', message: `is too long for the model ${model.id} beside its reply` }]);
  }
  const scopes = { agent: agent.collectionIds, requested: request.collectionIds };
  return { agent, model, maxTokens, caller: await narrowCaller(context, call, scopes) };
}
