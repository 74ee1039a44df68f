import type { UpdateAgentRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import { lockAgent, readAgentToChange } from '#agents/access';
import { checkCollections } from '#agents/check-collections';
import { checkFields } from '#agents/check-fields';
import { checkTools } from '#agents/check-tools';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { agentRevision, toAgent } from '#handlers/to-agent';

/** Updates the given fields. An empty description or start message clears it. */
export const updateAgent = (context: Context) => async (request: UpdateAgentRequest, call: ServiceCall) => {
  const { name, description, systemPrompt, startMessage, memory } = request;
  const given = request.tools?.values;
  checkFields({ ...request, tools: given, collectionIds: request.collectionIds?.values });
  const found = await readAgentToChange(context, call, request.id);
  const collectionIds =
    request.collectionIds && (await checkCollections(context, request.collectionIds.values, call, found.collectionIds));
  const tools = given && (await checkTools(context, given, call, found.tools));
  const data: Prisma.AgentUpdateManyMutationInput = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description: description || null }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(startMessage === undefined ? {} : { startMessage: startMessage || null }),
    ...(memory === undefined ? {} : { memory }),
    ...(tools === undefined ? {} : { tools }),
    ...(collectionIds === undefined ? {} : { collectionIds }),
  };
  const agent = await context.db.$transaction(async (tx) => {
    requireRevision(request.precondition, agentRevision(await lockAgent(tx, found)));
    return tx.agent.update({ where: { id: found.id }, data });
  });
  return toAgent(agent);
};
