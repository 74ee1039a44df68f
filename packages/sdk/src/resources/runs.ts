import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Past and current runs of agents. `agents.execute` starts a run. */
export const createRuns = (client: Client) => ({
  list: (agentId: string, query: Query<'listRuns'> = {}, options?: CallOptions) =>
    client.list('listRuns', { path: { id: agentId }, query }, options),
  get: (agentId: string, runId: string, options?: CallOptions) =>
    client.call('getRun', { path: { id: agentId, runId } }, options),
  cancel: (agentId: string, runId: string, options?: CallOptions) =>
    client.call('cancelRun', { path: { id: agentId, runId } }, options),
  /** The tool calls of a run that waited, or wait, for an approval. */
  approvals: (agentId: string, runId: string, options?: CallOptions) =>
    client.call('listApprovals', { path: { id: agentId, runId } }, options),
  /** The tool calls of all agents that wait for the caller's decision. */
  waitingApprovals: (options?: CallOptions) => client.call('listWaitingApprovals', {}, options),
  /** Approves or denies a tool call that waits. */
  decide: (
    { agentId, runId, approvalId }: { agentId: string; runId: string; approvalId: string },
    body: Body<'decideApproval'>,
    options?: CallOptions,
  ) => client.call('decideApproval', { path: { id: agentId, runId, approvalId }, body }, options),
});
