import { waitUntil } from '@lectern/local-engines';
import { z } from 'zod';
import type { Api } from '#system/api';

const POLL_MS = 100;

const jobSchema = z.object({
  data: z.object({
    status: z.string(),
    progress: z.object({ total: z.number(), indexed: z.number(), failed: z.number() }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
  }),
});

/** A job to wait for. */
export interface WaitForJob {
  readonly connector: string;
  readonly job: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Waits for a sync job to end. Throws if it did not index all files. */
export async function waitForJob(api: Api, { connector, job, timeoutMs, signal }: WaitForJob): Promise<void> {
  const state = async () => jobSchema.parse(await api.call('GET', `/api/v1/connectors/${connector}/sync/${job}`)).data;
  let last = await state();
  const hasEnded = async () => {
    last = await state();
    return last.status !== 'queued' && last.status !== 'running';
  };
  await waitUntil(hasEnded, { what: 'the documents to be indexed', timeoutMs, intervalMs: POLL_MS, signal });
  if (last.status === 'completed') return;
  const [first] = last.errors;
  const why = first ? ` The first error: ${first.path}: ${first.message}` : '';
  throw new Error(`The sync job ended as ${last.status} with ${last.progress.indexed} files indexed.${why}`);
}
