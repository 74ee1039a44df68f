import type { Client } from '../client.ts';
import type { Body, CallOptions, Query, Schemas } from '../types.ts';

const jobPath = (id: string, jobId: string) => ({ path: { id, jobId } });

/** Sync jobs. */
export const createSync = (client: Client) => {
  const watch = (connectorId: string, jobId: string, options?: CallOptions) =>
    client.events('watchSync', jobPath(connectorId, jobId), options);
  return {
    start: (connectorId: string, body: Body<'startSync'> = {}, options?: CallOptions) =>
      client.call('startSync', { path: { id: connectorId }, body }, options),
    list: (connectorId: string, query: Query<'listSyncJobs'> = {}, options?: CallOptions) =>
      client.list('listSyncJobs', { path: { id: connectorId }, query }, options),
    get: (connectorId: string, jobId: string, options?: CallOptions) =>
      client.call('getSyncJob', jobPath(connectorId, jobId), options),
    cancel: (connectorId: string, jobId: string, options?: CallOptions) =>
      client.call('cancelSync', jobPath(connectorId, jobId), options),
    /** Yields the progress of a job until it ends. Reconnects if the connection breaks. */
    watch,
    /** Waits for the job to end and returns it. Check its `status`. */
    done: async (connectorId: string, jobId: string, options?: CallOptions): Promise<Schemas['SyncJob']> => {
      for await (const { event, data } of watch(connectorId, jobId, options)) if (event === 'end') return data;
      throw new TypeError('The stream ended without an `end` event.');
    },
    refreshPermissions: (connectorId: string, options?: CallOptions) =>
      client.call('refreshPermissions', { path: { id: connectorId } }, options),
  };
};
