import { BUILTIN_MODEL_ID } from '@lectern/extractive';
import type { ChatModel, Models } from '@lectern/llm';
import { invalidRequest } from '@lectern/service-kit';
import { createPlanner } from '#planner/create-planner';

/**
 * Returns the model of a run. The built-in one gets a planner so that it can call tools. Throws
 * `invalid_request` for an unknown model.
 */
export async function agentModel(models: Models, id: string | undefined): Promise<ChatModel> {
  const model = await models.get(id);
  return model.id === BUILTIN_MODEL_ID ? createPlanner(model) : model;
}

/**
 * Returns the maximum length of one reply, in tokens. Throws `invalid_request` if it is out of the
 * model's range.
 */
export function maxReplyTokens({ id, info }: ChatModel, requested: number | undefined): number {
  if (requested === undefined) return info.defaultMaxOutput;
  if (Number.isInteger(requested) && requested >= 1 && requested <= info.maxOutput) return requested;
  throw invalidRequest([{ path: 'maxTokens', message: `must be between 1 and ${info.maxOutput} for the model ${id}` }]);
}
