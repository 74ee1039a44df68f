import { SyncMode } from '@lectern/contracts';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers } from '#http/answer-schema';
import { optionalJsonBody } from '#http/body/json-body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { syncJob, syncJobSchema } from '#operations/sync/view';

const MODES = { auto: SyncMode.AUTO, full: SyncMode.FULL, incremental: SyncMode.INCREMENTAL } as const;

/** `force_full_sync` is deprecated since 1 November 2026; the date's form is RFC 9745's. */
const DEPRECATION = { Deprecation: '@1793491200' };

const body = z
  .strictObject({
    sync_mode: z.enum(['full', 'incremental', 'auto']).default('auto'),
    file_filter: z.array(z.string().min(1).max(2_000)).max(10_000).default([]),
    force_full_sync: z.boolean().optional(),
    confirm_deletions: z.boolean().default(false),
  })
  .meta({ examples: [{ sync_mode: 'incremental', file_filter: ['hr/leave.pdf'] }] });

export const startSync = defineOperation({
  id: 'startSync',
  method: 'post',
  path: '/api/v1/connectors/{id}/sync',
  summary: 'Start a sync',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(body, 'MAX_JSON_BYTES'),
  success: 202,
  answer: answers(syncJobSchema),
  answerHeaders: { Deprecation: 'Where force_full_sync was sent: since when it is deprecated (RFC 9745)' },
  handle: async (ctx, { params, body }, call) => {
    const request = {
      connectorId: params.id,
      mode: body.force_full_sync === true ? SyncMode.FULL : MODES[body.sync_mode],
      fileFilter: body.file_filter,
      confirmDeletions: body.confirm_deletions,
      id: idOf('job', call.seed),
    };
    const job = await ctx.clients.sync.startSync(request, onBehalfOf(call));
    return data(syncJob(job), body.force_full_sync === undefined ? {} : DEPRECATION);
  },
});
