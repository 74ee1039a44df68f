import type { Client } from '../client.ts';
import type { Body, CallOptions, Query, Schemas } from '../types.ts';

const jobPath = (id: string, jobId: string) => ({ path: { id, jobId } });

/** Jobs that read sources. */
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
    /** A job's progress, to its end; taken up again where the connection breaks. */
    watch,
    /** The job once it has ended, well or not: see its `status`. */
    done: async (connectorId: string, jobId: string, options?: CallOptions): Promise<Schemas['SyncJob']> => {
      for await (const { event, data } of watch(connectorId, jobId, options)) if (event === 'end') return data;
      throw new TypeError('The stream ended without its last event.');
    },
    refreshPermissions: (connectorId: string, options?: CallOptions) =>
      client.call('refreshPermissions', { path: { id: connectorId } }, options),
  };
};
