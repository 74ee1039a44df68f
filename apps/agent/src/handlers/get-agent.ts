import type { GetAgentRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { readAgent } from '#agents/access';
import type { Context } from '#context';
import { toAgent } from '#handlers/to-agent';

/** Returns an agent. */
export const getAgent =
  (context: Context) =>
  async ({ id }: GetAgentRequest, call: ServiceCall) =>
    toAgent(await readAgent(context, call, id));
