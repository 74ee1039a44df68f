import type { DeleteAgentRequest } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import { noteRemovals, removeSoon } from '#memories/remove-memories';

/** Deletes an agent with its runs and memories. Its conversations stay and cannot be continued. */
export const deleteAgent =
  (context: Context) =>
  async ({ id }: DeleteAgentRequest, { caller, signal }: ServiceCall) => {
    const { db } = context;
    const { teamId } = await readAgentToChange(db, caller, id);
    await db.$transaction(async (tx) => {
      const { count } = await tx.agent.deleteMany({ where: { id, teamId } });
      if (count === 0) throw notFound('agent', id);
      await noteRemovals(tx, [{ teamId, agentId: id, memoryId: null }]);
    });
    await removeSoon(context, signal);
    return { id };
  };
