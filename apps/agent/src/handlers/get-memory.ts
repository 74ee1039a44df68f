import type { GetMemoryRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { toMemory } from '#memories/to-memory';
import { readMemory } from '#memories/visible';

/** One memory. */
export const getMemory =
  ({ db }: Context) =>
  async ({ agentId, id }: GetMemoryRequest, { caller }: ServiceCall) => {
    await readAgent(db, caller, agentId);
    return toMemory(await readMemory(db, caller, agentId, id));
  };
