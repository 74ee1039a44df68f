import type { CreateAgentRequest } from '@lectern/contracts';
import { createOnce, type ServiceCall } from '@lectern/service-kit';
import { checkCollections } from '#agents/check-collections';
import { checkFields } from '#agents/check-fields';
import { checkTools } from '#agents/check-tools';
import { DEFAULT_MEMORY_MODE } from '#agents/memory-modes';
import type { Context } from '#context';
import { toAgent } from '#handlers/to-agent';

/** Creates an agent. */
export const createAgent = (context: Context) => async (request: CreateAgentRequest, call: ServiceCall) => {
  checkFields(request);
  const collectionIds = await checkCollections(context, request.collectionIds, call);
  const { teamId, keyId = null } = call.caller;
  const fields = {
    teamId,
    keyId,
    name: request.name,
    description: request.description || null,
    systemPrompt: request.systemPrompt,
    tools: await checkTools(context, request.tools, call),
    collectionIds,
    startMessage: request.startMessage || null,
    memory: request.memory ?? DEFAULT_MEMORY_MODE,
  };
  const agent = await createOnce({
    kind: 'agent',
    id: request.id,
    find: (id) => context.db.agent.findUnique({ where: { id, teamId } }),
    create: (id) => context.db.agent.create({ data: { id, ...fields } }),
  });
  return toAgent(agent);
};
