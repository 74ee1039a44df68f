import { isId, type StartSyncRequest, type SyncJob, SyncMode } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { SyncMode as ModeName } from '#gen/prisma/client';
import { requireCollection } from '#sync/scheduler/deleted-collections';
import { startJob } from '#sync/scheduler/start-jobs';
import { toJobMessage, viewJob } from '#sync/store/job-view';

const MAX_FILTER = 10_000;

const MODES: Readonly<Partial<Record<SyncMode, ModeName>>> = {
  [SyncMode.UNSPECIFIED]: 'auto',
  [SyncMode.AUTO]: 'auto',
  [SyncMode.FULL]: 'full',
  [SyncMode.INCREMENTAL]: 'incremental',
};

function parseOptions({ id, mode: requestedMode, fileFilter: filter, confirmDeletions }: StartSyncRequest) {
  if (id !== undefined && !isId('job', id)) throw invalidRequest([{ path: 'id', message: 'must be the id of a job' }]);
  const mode = MODES[requestedMode];
  if (mode === undefined) throw invalidRequest([{ path: 'sync_mode', message: 'must be auto, full or incremental' }]);
  const fileFilter = [...new Set(filter.map((path) => path.normalize('NFC')))];
  if (mode === 'incremental' && fileFilter.length === 0) {
    throw invalidRequest([{ path: 'file_filter', message: 'must name the files of an incremental sync' }]);
  }
  if (fileFilter.length > MAX_FILTER) {
    throw invalidRequest([{ path: 'file_filter', message: `must not name more than ${MAX_FILTER} files` }]);
  }
  const empty = fileFilter.indexOf('');
  if (empty >= 0) throw invalidRequest([{ path: `file_filter[${empty}]`, message: 'must not be empty' }]);
  return { id, mode, fileFilter: mode === 'full' ? [] : fileFilter, confirmDeletions };
}

export const startSync =
  (ctx: Context) =>
  async (request: StartSyncRequest, call: ServiceCall): Promise<SyncJob> => {
    const options = parseOptions(request);
    const connector = await findConnector(ctx, call.caller, request.connectorId);
    await requireCollection(ctx, connector, call.signal);
    const job = await startJob(ctx, connector, options);
    return toJobMessage(await viewJob(ctx, job), call.caller);
  };
