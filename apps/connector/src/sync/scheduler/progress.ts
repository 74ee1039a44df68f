import { type Messaging, syncProgress } from '@lectern/messaging';
import type { JobRef } from '#sync/store/jobs';

const INTERVAL_MS = 250;

/** Announces changes of jobs. Nothing depends on an announcement: watchers also poll. */
export interface Progress {
  /**
   * Announces at most four times per second and job. The last change of a burst is always
   * announced.
   */
  changed(job: JobRef, status: string): void;
  /** Announces immediately that the job ended. */
  ended(job: JobRef, status: string): void;
  close(): void;
}

/** Announces through NATS. */
export function createProgress(messaging: Messaging): Progress {
  const waiting = new Map<string, { readonly timer: NodeJS.Timeout; later: (() => void) | undefined }>();

  const announce = (job: JobRef, status: string) => messaging.announce(syncProgress, { ...job, status });

  const startInterval = (jobId: string) => {
    const timer = setTimeout(() => endInterval(jobId), INTERVAL_MS).unref();
    waiting.set(jobId, { timer, later: undefined });
  };
  const endInterval = (jobId: string) => {
    const later = waiting.get(jobId)?.later;
    waiting.delete(jobId);
    if (later === undefined) return;
    later();
    startInterval(jobId);
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
      startInterval(job.jobId);
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
