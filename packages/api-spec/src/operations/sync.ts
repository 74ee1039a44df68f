import { z } from 'zod';
import { optionalJsonBody, withoutBody } from '#body';
import {
  EXAMPLE_TIME,
  exampleId,
  flag,
  idParam,
  idParams,
  noFields,
  nullableTimestamp,
  pageQuery,
  recordId,
  text,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const syncMode = z
  .enum(['full', 'incremental', 'auto'])
  .meta({ id: 'SyncMode', description: 'How much a sync processes.' });
export type SyncModeName = z.output<typeof syncMode>;

const startBody = z
  .strictObject({
    sync_mode: syncMode.default('auto').meta({
      description:
        '`full` processes all documents. `incremental` processes only the files in `file_filter`. `auto` is incremental if `file_filter` is given, otherwise a full scan that skips recently processed documents.',
    }),
    file_filter: z
      .array(z.string().min(1).max(2_000))
      .max(10_000)
      .default([])
      .meta({ description: 'Paths of the files to sync. Used with `incremental`.', examples: [['hr/leave.pdf']] }),
    force_full_sync: z.boolean().optional().meta({ description: 'Deprecated. True means `sync_mode: full`.' }),
    confirm_deletions: z
      .boolean()
      .default(false)
      .meta({ description: 'True to allow a sync that would delete an unusually large part of the documents.' }),
  })
  .meta({ examples: [{ sync_mode: 'incremental', file_filter: ['hr/leave.pdf'] }] });

const jobStatus = z
  .enum(['queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled'])
  .meta({ id: 'JobStatus', description: 'The status of the job.' });

const jobId = recordId('job');
const startedAt = nullableTimestamp('When the job started. Null while it is queued.');
const count = (description: string) => z.int().min(0).meta({ description });

const JOB_EXAMPLE = {
  jobId: exampleId('job'),
  connectorId: exampleId('connector'),
  kind: 'sync',
  mode: 'auto',
  status: 'running',
  progress: { total: 56, collected: 40, parsed: 31, indexed: 30, skipped: 0, deleted: 0, failed: 1 },
  errors: [{ path: 'a.pdf', code: 'encrypted', message: 'The file is encrypted.' }],
  startedAt: EXAMPLE_TIME,
  completedAt: null,
};

const syncJobSchema = z
  .object({
    jobId,
    connectorId: recordId('connector'),
    kind: z.enum(['sync', 'permissions']).meta({ id: 'JobKind', description: 'What the job does.' }),
    mode: syncMode.meta({ description: 'The mode of the sync.' }),
    status: jobStatus,
    queuedReason: z.string().optional().meta({ description: 'Why the job is queued. Omitted for other jobs.' }),
    progress: z
      .object({
        total: count('Files that the job processes, as far as known.'),
        collected: count('Files collected so far.'),
        parsed: count('Files parsed so far.'),
        indexed: count('Files indexed so far.'),
        skipped: count('Files skipped because they are unchanged or contain no text.'),
        deleted: count('Documents deleted because their files no longer exist at the source.'),
        failed: count('Files that failed.'),
      })
      .meta({ id: 'SyncCounts', description: 'The progress of the job.' }),
    errors: z
      .array(
        z
          .object({
            path: text('The path of the file.'),
            code: text('An error code.', 'encrypted'),
            message: text('What failed and what to do.'),
          })
          .meta({ id: 'FileFailure', description: 'Why a file failed.' }),
      )
      .meta({ description: 'The files that failed.' }),
    startedAt,
    completedAt: nullableTimestamp('When the job ended. Null while it is active.'),
  })
  .meta({ id: 'SyncJob', description: 'A job that reads a source.', examples: [JOB_EXAMPLE] });

const refreshSchema = z
  .object({
    jobId,
    status: jobStatus,
    applicable: flag('False if the source does not report who can read its content.'),
    startedAt,
  })
  .meta({
    id: 'PermissionRefresh',
    description: 'A job that reads permissions.',
    examples: [{ jobId: exampleId('job'), status: 'queued', applicable: true, startedAt: null }],
  });

const jobParams = z.object({ id: idParam('connector'), jobId: idParam('job') });

export const listSyncJobs = operation({
  id: 'listSyncJobs',
  method: 'get',
  path: '/api/v1/connectors/{id}/sync',
  summary: 'List sync jobs',
  description: 'Lists the sync jobs of a connector, newest first.',
  access: 'secret',
  params: idParams('connector'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(syncJobSchema)),
});

export const startSync = operation({
  id: 'startSync',
  method: 'post',
  path: '/api/v1/connectors/{id}/sync',
  summary: 'Start a sync',
  description: 'Queues a job that imports content from the source of a connector.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(startBody, 'MAX_JSON_BYTES'),
  success: 202,
  response: one(syncJobSchema),
  responseHeaders: { Deprecation: 'When `force_full_sync` was deprecated, if the request contains it (RFC 9745)' },
});

export const getSyncJob = operation({
  id: 'getSyncJob',
  method: 'get',
  path: '/api/v1/connectors/{id}/sync/{jobId}',
  summary: 'Get a sync job',
  description: 'Returns the status and progress of a sync job.',
  access: 'secret',
  params: jobParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(syncJobSchema),
});

export const cancelSync = operation({
  id: 'cancelSync',
  method: 'delete',
  path: '/api/v1/connectors/{id}/sync/{jobId}',
  summary: 'Cancel a sync job',
  description: 'Cancels a queued or running sync job. Documents that are already indexed remain.',
  access: 'secret',
  params: jobParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(syncJobSchema),
});

export const watchSync = operation({
  id: 'watchSync',
  method: 'get',
  path: '/api/v1/connectors/{id}/sync/{jobId}/events',
  summary: 'Stream the progress of a sync job',
  description:
    'Streams the job as Server-Sent Events whenever it changes, until it ends. After a broken connection, send the request again.',
  access: 'secret',
  params: jobParams,
  query: none,
  body: withoutBody,
  success: 200,
  stream: { name: 'Sync', events: { progress: syncJobSchema, end: syncJobSchema }, terminal: 'end', restartable: true },
});

export const refreshPermissions = operation({
  id: 'refreshPermissions',
  method: 'post',
  path: '/api/v1/connectors/{id}/refresh-permissions',
  summary: 'Refresh permissions',
  description: 'Queues a job that reads from the source who can read the documents of a connector.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 202,
  response: one(refreshSchema),
});
