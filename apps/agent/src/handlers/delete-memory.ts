import type { DeleteMemoryRequest } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import { noteRemovals, removeSoon } from '#memories/remove-memories';
import { readMemory } from '#memories/visible';

/** Deletes a memory. */
export const deleteMemory =
  (context: Context) =>
  async ({ agentId, id }: DeleteMemoryRequest, { caller, signal }: ServiceCall) => {
    await readAgentToChange(context.db, caller, agentId);
    const { teamId } = await readMemory(context.db, caller, agentId, id);
    await context.db.$transaction(async (tx) => {
      const { count } = await tx.memory.deleteMany({ where: { id, agentId } });
      if (count === 0) throw notFound('memory', id);
      await noteRemovals(tx, [{ teamId, agentId, memoryId: id }]);
    });
    await removeSoon(context, signal);
    return { id };
  };
