import type { DeleteAgentRequest } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import { readAgentToChange } from '#agents/access';
import type { Context } from '#context';

/** Deletes an agent. Its conversations stay and cannot be continued. */
export const deleteAgent =
  ({ db }: Context) =>
  async ({ id }: DeleteAgentRequest, { caller }: ServiceCall) => {
    await readAgentToChange(db, caller, id);
    const { count } = await db.agent.deleteMany({ where: { id, teamId: caller.teamId } });
    if (count === 0) throw notFound('agent', id);
    return { id };
  };
