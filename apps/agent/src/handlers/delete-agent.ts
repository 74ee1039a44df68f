import type { DeleteAgentRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import { lockAgent, readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import { agentRevision } from '#handlers/to-agent';
import { noteRemovals, removeSoon } from '#memories/remove-memories';

/**
 * Deletes an agent with its runs and memories. Its conversations remain, but cannot be continued.
 */
export const deleteAgent =
  (context: Context) =>
  async ({ id, precondition }: DeleteAgentRequest, call: ServiceCall) => {
    const { db } = context;
    const found = await readAgentToChange(context, call, id);
    const { teamId } = found;
    await db.$transaction(async (tx) => {
      requireRevision(precondition, agentRevision(await lockAgent(tx, found)));
      await tx.agent.delete({ where: { id } });
      await noteRemovals(tx, [{ teamId, agentId: id, memoryId: null }]);
    });
    await removeSoon(context, call.signal);
    return { id };
  };
