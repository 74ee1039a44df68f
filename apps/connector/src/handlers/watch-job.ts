import { isDeepStrictEqual } from 'node:util';
import type { GetJobRequest, SyncJob } from '@lectern/contracts';
import { syncProgress } from '@lectern/messaging';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readJob, toJobMessage } from '#sync/store/job-view';
import { isActive } from '#sync/store/jobs';

/** Events can be lost, so a watcher also polls. */
const POLL_MS = 2_000;

/** Waits for a notification or a timeout. A notification between two waits is not lost. */
function createNotifier(signal: AbortSignal) {
  let isNotified = false;
  let wake = () => {};
  return {
    notify: () => {
      isNotified = true;
      wake();
    },
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          wake = () => {};
          isNotified = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        wake = done;
        if (isNotified || signal.aborted) done();
      }),
  };
}

export const watchJob = (ctx: Context) =>
  async function* watchJob(request: GetJobRequest, { caller, signal }: ServiceCall): AsyncGenerator<SyncJob> {
    await readJob(ctx, caller, request);
    const notifier = createNotifier(signal);
    const unsubscribe = ctx.messaging.listen(
      syncProgress,
      [caller.teamId, request.connectorId, request.jobId],
      notifier.notify,
    );
    try {
      let last: SyncJob | undefined;
      while (!signal.aborted) {
        const view = await readJob(ctx, caller, request);
        const current = toJobMessage(view, caller);
        if (!isDeepStrictEqual(current, last)) yield current;
        last = current;
        if (!isActive(view.job.status)) return;
        await notifier.wait(POLL_MS);
      }
    } finally {
      unsubscribe();
    }
  };
