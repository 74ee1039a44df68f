import type { UpdateAgentRequest } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import { checkFields } from '#agents/check-fields';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { checkCollections } from '#handlers/check-collections';
import { toAgent } from '#handlers/to-agent';

/** Changes the fields that are given; an empty description or start message clears it. */
export const updateAgent = (context: Context) => async (request: UpdateAgentRequest, call: ServiceCall) => {
  const { name, description, systemPrompt, startMessage, memory } = request;
  const tools = request.tools?.values;
  checkFields({ ...request, tools, collectionIds: request.collectionIds?.values });
  await readAgentToChange(context.db, call.caller, request.id);
  const collectionIds = request.collectionIds && (await checkCollections(context, request.collectionIds.values, call));
  const data: Prisma.AgentUpdateManyMutationInput = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(startMessage === undefined ? {} : { startMessage: startMessage || null }),
    ...(memory === undefined ? {} : { memory }),
    ...(tools === undefined ? {} : { tools: [...new Set(tools)] }),
    ...(collectionIds === undefined ? {} : { collectionIds }),
  };
  const [agent] = await context.db.agent.updateManyAndReturn({
    where: { id: request.id, teamId: call.caller.teamId },
    data,
  });
  if (agent === undefined) throw notFound('agent', request.id);
  return toAgent(agent);
};
