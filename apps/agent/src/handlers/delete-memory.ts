import type { DeleteMemoryRequest } from '@lectern/contracts';
import { requireRevision, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';
import { noteRemovals, removeSoon } from '#memories/remove-memories';
import { memoryRevision } from '#memories/to-memory';
import { lockMemory, readMemory } from '#memories/visible';

/** Deletes a memory. */
export const deleteMemory =
  (context: Context) =>
  async ({ agentId, id, precondition }: DeleteMemoryRequest, call: ServiceCall) => {
    await readAgentToChange(context, call, agentId);
    const found = await readMemory(context.db, call.caller, agentId, id);
    const { teamId } = found;
    await context.db.$transaction(async (tx) => {
      requireRevision(precondition, memoryRevision(await lockMemory(tx, found)));
      await tx.memory.delete({ where: { id } });
      await noteRemovals(tx, [{ teamId, agentId, memoryId: id }]);
    });
    await removeSoon(context, call.signal);
    return { id };
  };
