import { isDeepStrictEqual } from 'node:util';
import type { GetJobRequest, SyncJob } from '@lectern/contracts';
import { syncProgress } from '@lectern/messaging';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { isActive } from '../jobs/job-machine.ts';
import { readJob } from '../jobs/read-job.ts';
import { toJobMessage } from '../jobs/to-message.ts';

// Announcements may be lost; looking by itself makes sure that a watcher sees the end.
const POLL_MS = 2_000;

/** Wakes whoever waits: at a nudge, or after a while without one. A nudge between two waits is not lost. */
function createBell(signal: AbortSignal) {
  let rung = false;
  let wake = () => {};
  return {
    ring: () => {
      rung = true;
      wake();
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          wake = () => {};
          rung = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        wake = done;
        if (rung || signal.aborted) done();
      }),
  };
}

export const watchJob = (ctx: Context) =>
  async function* watchJob(request: GetJobRequest, { caller, signal }: ServiceCall): AsyncGenerator<SyncJob> {
    await readJob(ctx, caller, request);
    const bell = createBell(signal);
    const deaf = ctx.messaging.listen(syncProgress, [caller.teamId, request.connectorId, request.jobId], bell.ring);
    try {
      let shown: SyncJob | undefined;
      while (!signal.aborted) {
        const view = await readJob(ctx, caller, request);
        const now = toJobMessage(view, caller);
        if (!isDeepStrictEqual(now, shown)) yield now;
        shown = now;
        if (!isActive(view.job.status)) return;
        await bell.wait(POLL_MS);
      }
    } finally {
      deaf();
    }
  };
