import type { Client } from '../client.ts';
import type { CallOptions, Query } from '../types.ts';

/** Past and current runs of agents. `agents.execute` starts a run. */
export const createRuns = (client: Client) => ({
  list: (agentId: string, query: Query<'listRuns'> = {}, options?: CallOptions) =>
    client.list('listRuns', { path: { id: agentId }, query }, options),
  get: (agentId: string, runId: string, options?: CallOptions) =>
    client.call('getRun', { path: { id: agentId, runId } }, options),
  cancel: (agentId: string, runId: string, options?: CallOptions) =>
    client.call('cancelRun', { path: { id: agentId, runId } }, options),
});
