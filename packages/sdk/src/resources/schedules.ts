import type { Client } from '../client.ts';
import type { Body, CallOptions, Query } from '../types.ts';

/** Regular runs of an agent, whose results go to a webhook, a Slack channel or email. */
export const createSchedules = (client: Client) => ({
  list: (agentId: string, query: Query<'listSchedules'> = {}, options?: CallOptions) =>
    client.list('listSchedules', { path: { id: agentId }, query }, options),
  create: (agentId: string, body: Body<'createSchedule'>, options?: CallOptions) =>
    client.call('createSchedule', { path: { id: agentId }, body }, options),
  get: (agentId: string, scheduleId: string, options?: CallOptions) =>
    client.call('getSchedule', { path: { id: agentId, scheduleId } }, options),
  /** Changes a schedule. From then on, it runs as the caller, unless it is only disabled. */
  update: (agentId: string, scheduleId: string, body: Body<'updateSchedule'>, options?: CallOptions) =>
    client.call('updateSchedule', { path: { id: agentId, scheduleId }, body }, options),
  delete: (agentId: string, scheduleId: string, options?: CallOptions) =>
    client.call('deleteSchedule', { path: { id: agentId, scheduleId } }, options),
  /** Runs a schedule now, in the background. */
  run: (agentId: string, scheduleId: string, options?: CallOptions) =>
    client.call('startSchedule', { path: { id: agentId, scheduleId } }, options),
  /** The runs of a schedule, with what became of their results. */
  runs: (agentId: string, scheduleId: string, query: Query<'listScheduleRuns'> = {}, options?: CallOptions) =>
    client.list('listScheduleRuns', { path: { id: agentId, scheduleId }, query }, options),
});
