import { type Messaging, syncProgress } from '@lectern/messaging';

const INTERVAL_MS = 250;

export interface ProgressOf {
  readonly teamId: string;
  readonly connectorId: string;
  readonly jobId: string;
}

/** Tells listeners that a job changed. Nothing depends on it: whoever watches also looks by itself. */
export interface Progress {
  /** At most four times a second for a job; the last change of a burst is always told. */
  changed(job: ProgressOf, status: string): void;
  /** At once: the job has ended. */
  ended(job: ProgressOf, status: string): void;
  close(): void;
}

/** Announces through NATS. */
export function createProgress(messaging: Messaging): Progress {
  const waiting = new Map<string, { readonly timer: NodeJS.Timeout; later: (() => void) | undefined }>();

  const announce = (job: ProgressOf, status: string) => messaging.announce(syncProgress, { ...job, status });

  const arm = (jobId: string) => {
    const timer = setTimeout(() => {
      const later = waiting.get(jobId)?.later;
      waiting.delete(jobId);
      if (later === undefined) return;
      later();
      arm(jobId);
    }, INTERVAL_MS);
    timer.unref();
    waiting.set(jobId, { timer, later: undefined });
  };

  const forget = (jobId: string) => {
    clearTimeout(waiting.get(jobId)?.timer);
    waiting.delete(jobId);
  };

  return {
    changed: (job, status) => {
      const entry = waiting.get(job.jobId);
      if (entry !== undefined) {
        entry.later = () => announce(job, status);
        return;
      }
      announce(job, status);
      arm(job.jobId);
    },
    ended: (job, status) => {
      forget(job.jobId);
      announce(job, status);
    },
    close: () => {
      for (const jobId of [...waiting.keys()]) forget(jobId);
    },
  };
}
