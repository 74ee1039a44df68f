import type { CreateAgentRequest } from '@lectern/contracts';
import { newId, type ServiceCall } from '@lectern/service-kit';
import { checkFields } from '#agents/check-fields';
import { DEFAULT_MEMORY_MODE } from '#agents/memory-modes';
import type { Context } from '#context';
import { checkCollections } from '#handlers/check-collections';
import { toAgent } from '#handlers/to-agent';

/** Makes an agent. */
export const createAgent = (context: Context) => async (request: CreateAgentRequest, call: ServiceCall) => {
  checkFields(request);
  const collectionIds = await checkCollections(context, request.collectionIds, call);
  const agent = await context.db.agent.create({
    data: {
      id: newId('agent'),
      teamId: call.caller.teamId,
      keyId: call.caller.keyId ?? null,
      name: request.name,
      description: request.description || null,
      systemPrompt: request.systemPrompt,
      tools: [...new Set(request.tools)],
      collectionIds,
      startMessage: request.startMessage || null,
      memory: request.memory ?? DEFAULT_MEMORY_MODE,
    },
  });
  return toAgent(agent);
};
