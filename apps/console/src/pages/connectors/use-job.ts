import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { streamEvents } from '#api/events.ts';
import type { JobEvent } from '#api/stream-types.ts';
import type { SyncJob } from '#api/types.ts';

const MAX_ATTEMPTS = 30;
const WAIT_MS = 2_000;

const ACTIVE: readonly string[] = ['queued', 'running'];

export const isActive = (job: SyncJob): boolean => ACTIVE.includes(job.status);

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The job's states until its end; asks again where the connection is lost. Throws `ApiError` where that is of no use. */
async function* watchJob(connectorId: string, jobId: string, signal: AbortSignal): AsyncGenerator<SyncJob> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      const path = `/api/v1/connectors/${connectorId}/sync/${jobId}/events`;
      for await (const { event, data } of streamEvents<JobEvent>('GET', path, 'end', { signal })) {
        attempt = 1;
        yield data;
        if (event === 'end') return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError) || !error.isRetryable || attempt >= MAX_ATTEMPTS) throw error;
      await wait(WAIT_MS, signal);
    }
  }
}

/** Follows a job as it goes; what it changes is read anew at its end. */
export function useJob(
  connectorId: string,
  jobId: string | undefined,
): { job: SyncJob | undefined; error: Error | undefined } {
  const queryClient = useQueryClient();
  const [job, setJob] = useState<SyncJob>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (jobId === undefined) return;
    const leaving = new AbortController();
    setError(undefined);
    setJob(undefined);
    async function follow(id: string) {
      for await (const state of watchJob(connectorId, id, leaving.signal)) setJob(state);
    }
    const refresh = () => {
      for (const queryKey of [['connectors'], ['collections'], ['documents'], ['search'], ['jobs']])
        void queryClient.invalidateQueries({ queryKey });
    };
    follow(jobId)
      .catch((thrown: unknown) => setError(thrown instanceof Error ? thrown : new Error(String(thrown))))
      .finally(() => leaving.signal.aborted || refresh());
    return () => leaving.abort();
  }, [connectorId, jobId, queryClient]);
  return { job, error };
}
