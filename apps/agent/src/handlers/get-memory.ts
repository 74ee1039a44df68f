import type { GetMemoryRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { toMemory } from '#memories/to-memory';
import { readMemory } from '#memories/visible';

/** Returns a memory. */
export const getMemory =
  (context: Context) =>
  async ({ agentId, id }: GetMemoryRequest, call: ServiceCall) => {
    await readAgent(context, call, agentId);
    return toMemory(await readMemory(context.db, call.caller, agentId, id));
  };
