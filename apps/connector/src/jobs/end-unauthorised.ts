import { findConnectorType } from '@lectern/connectors';
import type { Context } from '../context.ts';
import type { Ending } from './close-job.ts';
import { endJobEarly } from './end-job.ts';

/** Where a connector is left whose source does not accept it any more: its user can mend it in a browser, or with new credentials. */
export function statusUnauthorised(ctx: Context, type: string): Ending['connector'] {
  return findConnectorType(type, ctx.types).oauth === undefined ? 'error' : 'pending_auth';
}

/** Ends a job whose source does not let Lectern in any more, rather than failing each of its items for the same reason. */
export async function endUnauthorised(
  ctx: Context,
  { jobId, type }: { readonly jobId: string; readonly type: string },
  message: string,
): Promise<void> {
  const connector = statusUnauthorised(ctx, type);
  await endJobEarly(ctx, jobId, { job: 'failed', error: { code: 'auth', message }, connector, reason: message });
}
