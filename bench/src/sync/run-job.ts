import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Api } from '#system/api';

const count = z.int();
const jobSchema = z.object({
  data: z.object({
    jobId: z.string(),
    status: z.string(),
    progress: z.object({ total: count, indexed: count, skipped: count, deleted: count, failed: count }),
    errors: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  }),
});

export type SyncJob = z.output<typeof jobSchema>['data'];

const POLL_MS = 250;
const PROGRESS_MS = 10_000;
const DEADLINE_MS = 3_600_000;
const ACTIVE: ReadonlySet<string> = new Set(['queued', 'running']);

/** Starts a sync and waits for its end. Retries while parts of the system are unavailable. */
export async function runJob(
  api: Api,
  connectorId: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly job: SyncJob; readonly ms: number }> {
  const path = `/api/v1/connectors/${connectorId}/sync`;
  const started = performance.now();
  const { jobId } = jobSchema.shape.data
    .pick({ jobId: true })
    .parse(z.object({ data: z.unknown() }).parse(await api.call('POST', path, {})).data);
  let printedAt = started;
  for (;;) {
    const answer = await api.call('GET', `${path}/${jobId}`).catch(() => undefined);
    const ms = performance.now() - started;
    if (answer !== undefined) {
      const job = jobSchema.parse(answer).data;
      if (!ACTIVE.has(job.status)) return { job, ms };
      if (performance.now() - printedAt > PROGRESS_MS) {
        printedAt = performance.now();
        print(`${Math.round(ms / 1_000)} s: ${job.progress.indexed} of ${job.progress.total} indexed`);
      }
    }
    if (ms > DEADLINE_MS) throw new Error('The sync has not ended within an hour.');
    await delay(POLL_MS, undefined, { signal });
  }
}
